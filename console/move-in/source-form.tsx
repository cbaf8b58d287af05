import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useWhoami } from '../api/queries.js';
import { ChosenFile } from '../import/chosen-file.js';
import { LineEditor } from '../import/line-editor.js';
import { useReading } from '../import/use-reading.js';
import { entriesOf } from '../parts/entries.js';
import { Field } from '../parts/field.js';
import { asciiOf } from '../parts/idn.js';
import { Trouble } from '../parts/trouble.js';
import { moveIn } from '../words/move-in.js';
import { words } from '../words/index.js';
import { createdZone, usualContact } from './create-zone.js';
import { answeringServers, readDomain, type TransferKey, type TriedServer } from './move-api.js';
import { KeyFields, NO_KEY } from './key-fields.js';
import { type Move, moveAddress, newMove, type Source, SOURCES } from './move.js';
import { keepMove, moveOf } from './move-store.js';
import { TriedServers } from './tried-servers.js';

interface Props {
  readonly tenant: string;
  /** `null`: the user enters it. */
  readonly domain: string | null;
}

interface Faults {
  readonly domain?: string | undefined;
  readonly servers?: string | undefined;
  readonly key?: string | undefined;
  readonly file?: string | undefined;
  readonly whole?: unknown;
}

/** In one request. */
const MOST_SERVERS = 8;
const NO_LINES: ReadonlySet<number> = new Set();

/** The domain and the source of its records. Submitting it gets the records and creates the zone, still empty. */
export function SourceForm({ tenant, domain }: Props) {
  const kept = domain === null ? null : moveOf(tenant, domain);
  const [name, setName] = useState(domain ?? '');
  const [email, setEmail] = useState(kept?.email ?? '');
  const [source, setSource] = useState<Source>(kept?.source ?? 'file');
  const [servers, setServers] = useState(kept?.servers.join('\n') ?? '');
  const [key, setKey] = useState<TransferKey | null>(null);
  const [tried, setTried] = useState<readonly TriedServer[]>([]);
  const [text, setText] = useState(kept?.text ?? '');
  const [faults, setFaults] = useState<Faults>({});
  const [isWorking, setWorking] = useState(false);
  const { data: whoami } = useWhoami();
  const reading = useReading();
  const area = useRef<HTMLTextAreaElement>(null);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const absolute = absoluteName(name);
  const { source: said } = moveIn;

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (isWorking || reading.sendsLater(event.currentTarget)) return;
    const asked = entriesOf(servers);
    const missing = missingIn({ name, source, asked, text, key });
    setFaults(missing ?? {});
    if (missing !== null) return;
    setTried([]);
    setWorking(true);
    try {
      const got = await recordsOf(source, absolute, asked, key, text);
      setTried(got.tried);
      if (got.text.trim() === '') throw new Error(said.nothing);
      const earlier = moveOf(tenant, absolute) ?? newMove(absolute);
      const move: Move = { ...earlier, email: email.trim(), source, ...got.facts, text: got.text, step: 'records' };
      const zone = await createdZone(absolute, move.email);
      keepMove(tenant, { ...move, done: [...new Set([...earlier.done, 'source' as const])] });
      await Promise.all([['zones'], ['zone']].map((queryKey) => queries.invalidateQueries({ queryKey })));
      navigate(moveAddress(zone, 'records'));
    } catch (error) {
      setFaults({ whole: error });
    } finally {
      setWorking(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)}>
      {faults.whole !== undefined && <Trouble error={faults.whole} />}
      <div className="columns">
        {domain === null && (
          <Field label={said.domain} hint={words.newZone.nameHint(absolute)} error={faults.domain}>
            {(control) => (
              <input
                {...control}
                value={name}
                maxLength={255}
                autoComplete="off"
                spellCheck={false}
                onChange={({ target }) => setName(target.value)}
              />
            )}
          </Field>
        )}
        <Field label={said.email} hint={said.emailHint(absolute === '.' ? null : usualContact(absolute))} isOptional>
          {(control) => (
            <input
              {...control}
              value={email}
              maxLength={255}
              spellCheck={false}
              onChange={({ target }) => setEmail(target.value)}
            />
          )}
        </Field>
      </div>
      <fieldset className="move-sources">
        <legend>{said.legend}</legend>
        {SOURCES.map((one) => (
          <label key={one} className="move-source">
            <input type="radio" name="source" checked={source === one} onChange={() => setSource(one)} />
            <strong>{said.names[one]}</strong>
            <span className="hint">{said.hints[one]}</span>
          </label>
        ))}
      </fieldset>
      {source === 'file' && (
        <>
          <ChosenFile
            most={whoami?.service.max_body_size ?? Infinity}
            fault={faults.file}
            reading={reading}
            onFault={(file) => setFaults({ file })}
            onText={(read) => {
              setText(read);
              setFaults({});
              if (name === '') setName(originIn(read));
            }}
          />
          <Field label={words.import.text} hint={words.import.textHint}>
            {(control) => <LineEditor control={control} area={area} text={text} faulty={NO_LINES} onText={setText} />}
          </Field>
        </>
      )}
      {source !== 'file' && (
        <Field label={said.servers} hint={said.serversHint} isOptional error={faults.servers}>
          {(control) => (
            <textarea
              {...control}
              rows={2}
              value={servers}
              spellCheck={false}
              onChange={({ target }) => setServers(target.value)}
            />
          )}
        </Field>
      )}
      {source === 'transfer' && (
        <>
          <label className="check">
            <input
              type="checkbox"
              checked={key !== null}
              onChange={({ target }) => setKey(target.checked ? NO_KEY : null)}
            />
            {said.useKey}
          </label>
          {key !== null && <KeyFields value={key} error={faults.key} onChange={setKey} />}
        </>
      )}
      <TriedServers servers={tried} />
      <div className="move-foot">
        <span role="status" className="quiet-text">
          {isWorking && said.working[source]}
        </span>
        <button type="submit" className="primary" aria-disabled={isWorking || undefined}>
          {said.start}
        </button>
      </div>
    </form>
  );
}

/** The name that a file gives to its zone; empty where it does not say. */
const originIn = (file: string): string => /^\$ORIGIN\s+(\S+)/im.exec(file)?.[1] ?? '';

function absoluteName(typed: string): string {
  const name = asciiOf(typed.trim()).toLowerCase();
  return name.endsWith('.') ? name : `${name}.`;
}

interface Got {
  readonly text: string;
  readonly tried: readonly TriedServer[];
  readonly facts: Pick<Move, 'servers' | 'isSigned'>;
}

async function recordsOf(
  source: Source,
  name: string,
  servers: readonly string[],
  key: TransferKey | null,
  file: string,
): Promise<Got> {
  if (source === 'file') return { text: file, tried: [], facts: { servers: [], isSigned: SIGNED.test(file) } };
  const read = await readDomain({ name, method: source, servers, key: source === 'transfer' ? key : null });
  // The delegation will lead to other name servers.
  const answering = answeringServers(read.name_servers);
  const facts = { servers: answering.length > 0 ? answering : servers, isSigned: read.left_out.length > 0 };
  return { text: read.zone_file ?? '', tried: read.name_servers, facts };
}

/** A record that signing makes. */
const SIGNED = /^[^;\n]*\s(?:RRSIG|DNSKEY)\s/im;

interface Entered {
  readonly name: string;
  readonly source: Source;
  readonly asked: readonly string[];
  readonly text: string;
  readonly key: TransferKey | null;
}

function missingIn({ name, source, asked, text, key }: Entered): Faults | null {
  const lacksSecret = key !== null && (key.name.trim() === '' || key.secret.trim() === '');
  const faults: Faults = {
    ...(name.trim() === '' && { domain: moveIn.source.missing }),
    ...(source !== 'file' && asked.length > MOST_SERVERS && { servers: moveIn.source.tooManyServers(MOST_SERVERS) }),
    ...(source === 'transfer' && lacksSecret && { key: moveIn.source.keyMissing }),
    ...(source === 'file' && text.trim() === '' && { file: words.import.empty }),
  };
  return Object.keys(faults).length === 0 ? null : faults;
}
