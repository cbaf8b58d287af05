import { useState } from 'react';
import { Link } from 'wouter';
import { Refusal } from '../api/errors.js';
import { useRecord, useRecordTypes, useWhoami } from '../api/queries.js';
import type { StoredRecord } from '../api/types.js';
import { withEntry, withoutEntry } from '../changes/pending.js';
import { changePending, usePending } from '../changes/pending-store.js';
import { RecordForm } from '../form/record-form.js';
import { relativeName } from '../form/names.js';
import { useTitle } from '../frame/title.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { permittedTo } from '../session/permitted.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';
import { RecordFacts } from './record-facts.js';
import { RecordVersions } from './record-versions.js';

/** One record, whole, with what it was before. */
export function RecordPage({ id }: { readonly id: string }) {
  const { zone } = useOpenZone();
  useTitle(`${words.record.heading} – ${zone.name}`);
  const { data, error, failureReason, refetch } = useRecord(zone.id, id);
  const trouble = error ?? failureReason;
  const isGone = trouble instanceof Refusal && [400, 404].includes(trouble.status);
  return (
    <section aria-labelledby="record">
      {data === undefined || isGone ? <h2 id="record">{words.record.heading}</h2> : <OpenRecord record={data} />}
      {isGone && (
        <p className="empty">
          {words.record.gone} <Link href={zoneAddress(zone.name, 'history')}>{words.history.heading}</Link>
        </p>
      )}
      {trouble !== null && !isGone && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={6} />}
    </section>
  );
}

function OpenRecord({ record }: { readonly record: StoredRecord }) {
  const { zone, etag, place } = useOpenZone();
  const { data: whoami } = useWhoami();
  const { data: types } = useRecordTypes();
  const { entries } = usePending(place);
  const [isEditing, setEditing] = useState(false);
  const may = permittedTo(whoami);
  const entry = entries.find(({ key }) => key === record.id);
  const name = relativeName(record.name, zone.name);
  const { short } = words.records;
  const remove = (): void => {
    const base = { etag, serial: zone.serial };
    const deletion = { action: 'delete', key: record.id, before: record } as const;
    changePending(place, (pending) => withEntry(pending, deletion, base));
  };
  const keep = (): void => changePending(place, (pending) => withoutEntry(pending, record.id));
  return (
    <>
      <div className="heading">
        <h2 id="record">
          <ShownText text={`${name} ${record.type}`} />{' '}
          {entry !== undefined && <span className={`badge ${entry.action}`}>{words.records.states[entry.action]}</span>}
        </h2>
        {may.update && entry?.action !== 'delete' && (
          <button type="button" aria-label={words.records.edit(name, record.type)} onClick={() => setEditing(true)}>
            {short.edit}
          </button>
        )}
        {may.delete && entry?.action !== 'delete' && (
          <button
            type="button"
            className="danger"
            aria-label={words.records.delete(name, record.type)}
            onClick={remove}
          >
            {short.delete}
          </button>
        )}
        {entry !== undefined && (
          <button type="button" aria-label={words.records.keep(name, record.type)} onClick={keep}>
            {short.keep}
          </button>
        )}
      </div>
      <RecordFacts record={record} />
      <RecordVersions record={record} may={may} />
      {isEditing && types !== undefined && (
        <RecordForm
          start={{
            kind: 'edit',
            key: record.id,
            before: record,
            draft: entry?.action === 'update' ? entry.record : null,
          }}
          types={types}
          onClose={() => setEditing(false)}
        />
      )}
    </>
  );
}
