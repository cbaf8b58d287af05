import { useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import { PREFIX } from '../api/prefix.js';
import type { Whoami } from '../api/types.js';
import { CopyField } from '../parts/copy-field.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Field } from '../parts/field.js';
import { words } from '../words/index.js';
import { type Client, CLIENTS, clientsUsing } from './clients.js';
import { configurationOf } from './configuration.js';
import { ConfigurationPart } from './configuration-part.js';
import { type Made, withoutDot } from './create-access.js';
import { challengeOf } from './scope.js';
import { apiTest, type Setup } from './setup.js';
import './tokens.css';

interface Props {
  readonly made: Made;
  readonly service: Whoami['service'];
  readonly onClose: () => void;
}

/** Shows a secret once, in the configuration of its clients. The dialog alone holds it. */
export function SetupDialog({ made, service, onClose }: Props) {
  const { client, keyName, secret } = made;
  const url = `${window.location.origin}${PREFIX}`;
  return (
    <DialogFrame isWide title={titleOf(made)} onClose={onClose}>
      {secret !== '' && <p className="notice">{words.tokens.createdHint}</p>}
      {keyName !== '' && <CopyField label={words.access.keyName} text={keyName} />}
      {secret !== '' && <CopyField label={keyName === '' ? words.tokens.token : words.access.secret} text={secret} />}
      {client === null ? (
        <ConfigurationPart part={apiTest(url, secret)} />
      ) : (
        <ClientTabs made={made} client={client} service={service} url={url} />
      )}
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          {words.common.done}
        </button>
      </div>
    </DialogFrame>
  );
}

function titleOf({ keyName, secret }: Made): string {
  if (keyName !== '') return words.access.keyCreated;
  return secret === '' ? words.access.configuration : words.tokens.createdTitle;
}

interface TabsProps {
  readonly made: Made;
  readonly client: NonNullable<Made['client']>;
  readonly service: Whoami['service'];
  readonly url: string;
}

function ClientTabs({ made, client, service, url }: TabsProps) {
  const { id, protocol, placed } = client;
  const [server, setServer] = useState(() => serverOf(service));
  const [email, setEmail] = useState(placed[0]?.zone.email ?? '');
  const setup: Setup = {
    ...{ server, email, url, keyName: made.keyName, secret: made.secret },
    port: service.dns_updates?.port ?? 53,
    keystone: service.openstack_auth_url ?? '',
    names: placed.map(({ name }) => withoutDot(name)),
    zones: [...new Set(placed.map(({ zone }) => withoutDot(zone.name.toLowerCase())))],
  };
  const isAddress = /^(?:[\d.]+|[\da-f:.]*:[\da-f:.]*)$/i.test(server);
  return (
    <>
      <div className="columns">
        {protocol === 'update' && (
          <Field label={words.access.server} hint={isAddress ? words.access.serverHint : words.access.addressHint}>
            {(control) => <Input control={control} value={server} onChange={setServer} />}
          </Field>
        )}
        {CLIENTS[id].purpose === 'certificates' && (
          <Field label={words.access.email} hint={words.access.emailHint}>
            {(control) => <Input control={control} value={email} onChange={setEmail} />}
          </Field>
        )}
      </div>
      <Tabs defaultSelectedKey={id} className="client-tabs">
        <TabList aria-label={words.access.clientTabs}>
          {clientsUsing(id, protocol).map((one) => (
            <Tab key={one} id={one}>
              {words.access.clients[one]}
            </Tab>
          ))}
        </TabList>
        {clientsUsing(id, protocol).map((one) => (
          <TabPanel key={one} id={one}>
            {configurationOf(one, protocol, setupFor(one, setup, id)).map((part, index) => (
              <ConfigurationPart key={index} part={part} />
            ))}
          </TabPanel>
        ))}
      </Tabs>
    </>
  );
}

/** nsupdate changes the challenges of the hosts. */
function setupFor(client: Client, setup: Setup, owner: Client): Setup {
  const isForChallenges = client === 'nsupdate' && CLIENTS[owner].purpose === 'certificates';
  return isForChallenges ? { ...setup, names: setup.names.map(challengeOf) } : setup;
}

interface InputProps {
  readonly control: object;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Input({ control, value, onChange }: InputProps) {
  return (
    <input
      {...control}
      value={value}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange(target.value.trim())}
    />
  );
}

/** The configured address, or this host if the service listens on all addresses. */
function serverOf({ dns_updates: updates }: Whoami['service']): string {
  const address = updates?.address ?? '';
  return ['', '0.0.0.0', '::'].includes(address) ? window.location.hostname.replace(/^\[|\]$/g, '') : address;
}
