import { useId } from 'react';
import type { Whoami } from '../api/types.js';
import { words } from '../words/index.js';
import { type Client, clientsFor, isLimited, type Protocol, protocolsOf, PURPOSES } from './clients.js';

interface Props {
  readonly whoami: Whoami;
  readonly enabled: readonly Protocol[];
  readonly choice: Client | 'token' | null;
  readonly onChange: (choice: Client | 'token') => void;
}

/** The clients that an enabled interface serves, by purpose. */
export function ClientChoice({ whoami, enabled, choice, onChange }: Props) {
  const { service, limits } = whoami;
  const groups = PURPOSES.map((purpose) => ({
    label: words.access.purposes[purpose],
    clients: clientsFor(purpose).filter((client) => protocolsOf(client, enabled).length > 0),
  }));
  const notes = [
    ...(service.dns_updates === null ? [words.access.switchedOff.update] : []),
    ...(service.dns_updates !== null && isLimited(limits) ? [words.access.limited] : []),
    ...(service.powerdns_api ? [] : [words.access.switchedOff.powerdns]),
  ];
  return (
    <fieldset>
      <legend>{words.access.client}</legend>
      <div className="client-groups">
        {groups
          .filter(({ clients }) => clients.length > 0)
          .map(({ label, clients }) => (
            <Group
              key={label}
              label={label}
              options={clients.map((client) => ({ value: client, label: words.access.clients[client] }))}
              choice={choice}
              onChange={onChange}
            />
          ))}
        <Group
          label={words.access.purposes.other}
          options={[{ value: 'token', label: words.access.apiToken }]}
          choice={choice}
          onChange={onChange}
        />
      </div>
      {notes.map((note) => (
        <p key={note} className="hint">
          {note}
        </p>
      ))}
    </fieldset>
  );
}

interface GroupProps extends Pick<Props, 'choice' | 'onChange'> {
  readonly label: string;
  readonly options: readonly { readonly value: Client | 'token'; readonly label: string }[];
}

function Group({ label, options, choice, onChange }: GroupProps) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} className="hint">
        {label}
      </div>
      {options.map(({ value, label: name }) => (
        <label key={value} className="check">
          <input type="radio" name="client" checked={choice === value} onChange={() => onChange(value)} />
          {name}
        </label>
      ))}
    </div>
  );
}
