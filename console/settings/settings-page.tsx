import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { ask } from '../api/client.js';
import { isConflict, Refusal } from '../api/errors.js';
import { type SeenZone, seeZoneAt, useWhoami, zoneKey } from '../api/queries.js';
import type { Zone } from '../api/types.js';
import { useStatus } from '../frame/status.js';
import { useTitle } from '../frame/title.js';
import { secondsIn } from '../parts/duration.js';
import { entriesOf } from '../parts/entries.js';
import { Field } from '../parts/field.js';
import { labelLines, labelsIn } from '../parts/label-lines.js';
import type { Labels } from '../parts/labels.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { usePermitted } from '../zones/use-permitted.js';
import { useOpenZone } from '../zones/zone-context.js';
import { Shares } from '../sharing/shares.js';
import { Transfer } from '../sharing/transfer.js';
import { DeleteZone } from './delete-zone.js';

/** The zone fields, and its deletion. */
export function SettingsPage() {
  const { zone } = useOpenZone();
  useTitle(`${words.settings.heading} – ${zone.name}`);
  const may = usePermitted();
  return (
    <section aria-labelledby="settings">
      <h2 id="settings">{words.settings.heading}</h2>
      <SettingsForm mayEdit={may.editZone} />
      {may.editZone && (
        <>
          <Shares />
          <Transfer />
        </>
      )}
      {may.deleteZone && <DeleteZone />}
    </section>
  );
}

interface Faults {
  readonly fields: Readonly<Record<string, string>>;
  readonly whole: unknown;
}

const NO_FAULTS: Faults = { fields: {}, whole: null };

function SettingsForm({ mayEdit }: { readonly mayEdit: boolean }) {
  const { zone, etag, secondary } = useOpenZone();
  // The zone is refetched continuously; saving applies to the version at the start of typing.
  const [begun, setBegun] = useState<SeenZone>({ zone, etag, secondary });
  const [email, setEmail] = useState(zone.email);
  const [ttl, setTtl] = useState(String(zone.ttl));
  const [comment, setComment] = useState(zone.description ?? '');
  const [servers, setServers] = useState(linesOf(zone.name_servers));
  const [labels, setLabels] = useState(labelLines(zone.labels));
  const [faults, setFaults] = useState(NO_FAULTS);
  const { data: whoami } = useWhoami();
  const queries = useQueryClient();
  const status = useStatus();
  const typed = {
    email: email.trim(),
    ttl: secondsIn(ttl) ?? begun.zone.ttl,
    description: comment === '' ? null : comment,
    name_servers: serversIn(servers),
    labels: labelsIn(labels),
  };

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (secondsIn(ttl) === null) {
      setFaults({ fields: { ttl: words.bulk.badTtl }, whole: null });
      return;
    }
    try {
      const now = await saved(begun, typed);
      setBegun(now);
      setFaults(NO_FAULTS);
      queries.setQueryData(zoneKey(zone.name), now);
      status.show({ content: words.settings.saved });
      await queries.invalidateQueries({ queryKey: ['zones'] });
    } catch (error) {
      if (isConflict(error)) await takeOver();
      else setFaults(faultsOf(error));
    }
  };
  /** Shows settings changed by others, except typed fields; the next save applies to that version. */
  const takeOver = async (): Promise<void> => {
    try {
      const now = await seeZoneAt(zone.id);
      if (typed.email === begun.zone.email) setEmail(now.zone.email);
      if (typed.ttl === begun.zone.ttl) setTtl(String(now.zone.ttl));
      if (typed.description === begun.zone.description) setComment(now.zone.description ?? '');
      if (linesOf(typed.name_servers) === linesOf(begun.zone.name_servers)) setServers(linesOf(now.zone.name_servers));
      if (labelLines(typed.labels) === labelLines(begun.zone.labels)) setLabels(labelLines(now.zone.labels));
      setBegun(now);
      setFaults({ fields: {}, whole: new Error(words.settings.conflict) });
    } catch (error) {
      setFaults({ fields: {}, whole: error });
    }
  };
  return (
    <form className="settings" noValidate onSubmit={(event) => void submit(event)}>
      {faults.whole !== null && <Trouble error={faults.whole} />}
      <Field label={words.newZone.email} hint={words.newZone.emailHint} error={faults.fields.email}>
        {(control) => (
          <input
            {...control}
            value={email}
            readOnly={!mayEdit}
            spellCheck={false}
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
      </Field>
      <Field label={words.form.ttl} hint={words.settings.ttlHint(secondsIn(ttl))} error={faults.fields.ttl}>
        {(control) => (
          <input {...control} value={ttl} readOnly={!mayEdit} onChange={({ target }) => setTtl(target.value)} />
        )}
      </Field>
      <Field label={words.form.comment} error={faults.fields.description}>
        {(control) => (
          <input {...control} value={comment} readOnly={!mayEdit} onChange={({ target }) => setComment(target.value)} />
        )}
      </Field>
      <Field
        label={words.settings.nameServers}
        hint={words.settings.nameServersHint(whoami?.service.name_servers ?? [])}
        error={faults.fields.name_servers}
      >
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={servers}
            readOnly={!mayEdit}
            spellCheck={false}
            onChange={({ target }) => setServers(target.value)}
          />
        )}
      </Field>
      <Field label={words.labels.heading} hint={words.labels.hint} error={faults.fields.labels}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={labels}
            readOnly={!mayEdit}
            spellCheck={false}
            onChange={({ target }) => setLabels(target.value)}
          />
        )}
      </Field>
      {mayEdit ? (
        <div className="buttons">
          <button type="submit" className="primary">
            {words.settings.save}
          </button>
        </div>
      ) : (
        <p className="hint">{secondary === null ? words.settings.notPermitted : words.secondary.readOnly}</p>
      )}
    </form>
  );
}

type Settings = Pick<Zone, 'email' | 'ttl' | 'description'> & {
  readonly name_servers?: readonly string[] | null;
  readonly labels?: Labels;
};

const linesOf = (servers: Settings['name_servers']): string => (servers ?? []).join('\n');

/** Absolute names for the service; `null`: the service default. */
function serversIn(lines: string): readonly string[] | null {
  const names = entriesOf(lines).map((name) => (name.endsWith('.') ? name : `${name}.`));
  return names.length === 0 ? null : names;
}

/** @throws Refusal with 412 where others have changed the settings; their records are no concern here */
async function saved(begun: SeenZone, typed: Settings): Promise<SeenZone> {
  const json = changedSettings(begun.zone, typed);
  if (Object.keys(json).length === 0) return begun;
  try {
    const path = `/v1/domains/${begun.zone.id}`;
    const { body, etag } = await ask<Zone>(path, { method: 'PUT', json, ifMatch: begun.etag });
    return { ...begun, zone: body, etag: etag ?? '*' };
  } catch (error) {
    if (!isConflict(error)) throw error;
    const now = await seeZoneAt(begun.zone.id);
    const isOther = Object.keys(changedSettings(begun.zone, now.zone)).length > 0 || now.etag === begun.etag;
    if (isOther) throw error;
    return saved(now, typed);
  }
}

function changedSettings(
  before: Settings,
  { email, ttl, description, labels, name_servers: servers }: Settings,
): Partial<Settings> {
  return {
    ...(email !== before.email && { email }),
    ...(ttl !== before.ttl && { ttl }),
    ...(description !== before.description && { description }),
    ...(sortedLines(labels) !== sortedLines(before.labels) && { labels: labels ?? {} }),
    ...(linesOf(servers) !== linesOf(before.name_servers) && { name_servers: servers ?? null }),
  };
}

const sortedLines = (labels: Settings['labels']): string => labelLines(labels).split('\n').sort().join('\n');

function faultsOf(error: unknown): Faults {
  if (!(error instanceof Refusal)) return { fields: {}, whole: error };
  // `name_servers[2]` and `labels.team` are about the control of all of them.
  const fields = Object.fromEntries(error.fields.map(({ path, message }) => [path.replace(/[[.].*/, ''), message]));
  const isKnown = ['email', 'ttl', 'description', 'name_servers', 'labels'].some((path) => path in fields);
  return { fields, whole: isKnown ? null : error };
}
