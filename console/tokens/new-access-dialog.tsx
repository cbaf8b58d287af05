import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/client.js';
import { useWhoami, zonesOfName } from '../api/queries.js';
import type { NewToken, Whoami } from '../api/types.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { number } from '../words/numbers.js';
import { words } from '../words/index.js';
import { type Client, CLIENT_IDS, CLIENTS, enabledProtocols, type Protocol, protocolsOf } from './clients.js';
import { ClientChoice } from './client-choice.js';
import { createAccess, type Made } from './create-access.js';
import { limitsOf, type Wish } from './limits.js';
import { linesOf, scopeOf, zoneFinder } from './scope.js';
import { Lines, WishFields } from './wish-fields.js';

const PRESETS = ['zone', 'read', 'custom'] as const;
const DAY = 86_400_000;
/** The service takes no longer lists. */
const MOST_NAMES = 100;

interface Props {
  /** The client or the preset in the URL. */
  readonly wanted: string | null;
  readonly onClose: () => void;
  readonly onMade: (made: Made) => void;
}

/** Creates a token or an update key for a client, limited to its purpose. */
export function NewAccessDialog(props: Props) {
  const { data: whoami } = useWhoami();
  return (
    <DialogFrame isWide title={words.access.new} onClose={props.onClose}>
      {whoami === undefined ? <Skeleton rows={4} /> : <AccessForm {...props} whoami={whoami} />}
    </DialogFrame>
  );
}

function AccessForm({ wanted, onClose, onMade, whoami }: Props & { readonly whoami: Whoami }) {
  const enabled = enabledProtocols(whoami);
  const [choice, setChoice] = useState<Client | 'token' | null>(() => wantedChoice(wanted, enabled));
  const [chosen, setChosen] = useState<Protocol | null>(null);
  const [names, setNames] = useState('');
  const [wish, setWish] = useState<Wish>(() => emptyWish(PRESETS.find((one) => one === wanted) ?? 'zone'));
  const [description, setDescription] = useState('');
  const [days, setDays] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const [trouble, setTrouble] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const client = choice === 'token' ? null : choice;
  const protocols = client === null ? [] : protocolsOf(client, enabled);
  const protocol = protocols.find((one) => one === chosen) ?? protocols[0];

  const create = async (): Promise<Made | string> => {
    const common = {
      description: description.trim(),
      ...(days !== '' && { expires_at: new Date(Date.now() + Number(days) * DAY).toISOString() }),
    };
    if (client === null || protocol === undefined) return createToken(wish, common);
    const { purpose } = CLIENTS[client];
    const entries = linesOf(names);
    if (entries.length === 0) return words.access.namesMissing[purpose];
    if (entries.length > MOST_NAMES) return words.access.tooMany(number.format(MOST_NAMES));
    const { placed, faults } = await scopeOf(entries, purpose, zoneFinder(zonesOfName));
    return faults.length > 0 ? faults.join(' ') : createAccess(client, protocol, placed, common);
  };
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setTrouble(null);
    setFault(undefined);
    try {
      const made = await create();
      if (typeof made === 'string') setFault(made);
      else onMade(made);
    } catch (error) {
      setTrouble(error);
    }
    setBusy(false);
  };
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {trouble !== null && <Trouble error={trouble} />}
      <ClientChoice
        whoami={whoami}
        enabled={enabled}
        choice={choice}
        onChange={(one) => {
          setChoice(one);
          setFault(undefined);
        }}
      />
      {protocols.length > 1 && (
        <fieldset>
          <legend>{words.access.protocol}</legend>
          {protocols.map((one) => (
            <label key={one} className="check">
              <input type="radio" name="protocol" checked={protocol === one} onChange={() => setChosen(one)} />
              {words.access.protocols[one]}
            </label>
          ))}
        </fieldset>
      )}
      {client !== null && (
        <Lines
          label={words.access.names[CLIENTS[client].purpose]}
          hint={words.access.namesHints[CLIENTS[client].purpose]}
          error={fault}
          value={names}
          onChange={setNames}
        />
      )}
      {choice === 'token' && <TokenPurpose wish={wish} fault={fault} onChange={setWish} />}
      {choice !== null && protocol !== 'openstack' && (
        <div className="columns">
          <Field label={words.tokens.description} hint={words.tokens.descriptionHint}>
            {(control) => (
              <input
                {...control}
                value={description}
                maxLength={160}
                autoComplete="off"
                onChange={({ target }) => setDescription(target.value)}
              />
            )}
          </Field>
          <Field label={words.tokens.expires}>
            {(control) => (
              <select {...control} value={days} onChange={({ target }) => setDays(target.value)}>
                {words.tokens.expiry.map(({ days: value, label }) => (
                  <option key={value} value={value}>
                    {value === '' && protocol === 'update' ? words.access.keyNeverExpires : label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
      )}
      <div className="buttons">
        <button type="button" onClick={onClose}>
          {words.common.cancel}
        </button>
        {choice !== null && (
          <button type="submit" className="primary" aria-disabled={isBusy || undefined}>
            {submitLabel(protocol)}
          </button>
        )}
      </div>
    </form>
  );
}

interface PurposeProps {
  readonly wish: Wish;
  readonly fault: string | undefined;
  readonly onChange: (wish: Wish) => void;
}

/** The presets of an API token. */
function TokenPurpose({ wish, fault, onChange }: PurposeProps) {
  return (
    <>
      <fieldset>
        <legend>{words.tokens.preset}</legend>
        {PRESETS.map((one) => (
          <label key={one} className="check">
            <input type="radio" name="preset" checked={wish.preset === one} onChange={() => onChange(emptyWish(one))} />
            {words.tokens.presets[one]}
          </label>
        ))}
      </fieldset>
      <WishFields wish={wish} fault={fault} onChange={onChange} />
    </>
  );
}

/** @returns the token, or the reason why it cannot be requested @throws Refusal, NoAnswer */
async function createToken(wish: Wish, common: { readonly description: string }): Promise<Made | string> {
  if (wish.preset === 'zone') {
    if (wish.zone.trim() === '') return words.tokens.zoneMissing;
    const { faults } = await scopeOf([wish.zone.trim()], 'dhcp', zoneFinder(zonesOfName));
    if (faults.length > 0) return faults.join(' ');
  }
  if (wish.preset === 'custom' && wish.actions.length === 0) return words.tokens.actionMissing;
  const { description, ...rest } = common;
  const json = { ...limitsOf(wish), ...rest, ...(description !== '' && { description }) };
  const { body } = await ask<NewToken>('/v1/tokens', { method: 'POST', json });
  return { client: null, keyName: '', secret: body.token };
}

function submitLabel(protocol: Protocol | undefined): string {
  if (protocol === 'openstack') return words.access.show;
  return protocol === 'update' ? words.access.createKey : words.tokens.create;
}

function wantedChoice(wanted: string | null, enabled: readonly Protocol[]): Client | 'token' | null {
  if (PRESETS.some((one) => one === wanted)) return 'token';
  return CLIENT_IDS.find((client) => client === wanted && protocolsOf(client, enabled).length > 0) ?? null;
}

function emptyWish(preset: Wish['preset']): Wish {
  switch (preset) {
    case 'zone':
      return { preset, zone: '' };
    case 'read':
      return { preset };
    case 'custom':
      return { preset, domains: '', names: '', types: '', networks: '', actions: ['create', 'update', 'delete'] };
  }
}
