import { Refusal } from '../api/errors.js';
import { useRecord, useRecordTypes } from '../api/queries.js';
import type { StoredRecord } from '../api/types.js';
import { withEntry, withoutEntry } from '../changes/pending.js';
import { changePending, usePending } from '../changes/pending-store.js';
import { relativeName } from '../form/names.js';
import { useOpening } from '../frame/use-opening.js';
import { useTitle } from '../frame/title.js';
import { Empty } from '../parts/empty.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { permittedAt } from '../session/permitted.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { usePermitted } from '../zones/use-permitted.js';
import { useOpenZone } from '../zones/zone-context.js';
import { RecordAlias } from './record-alias.js';
import { RecordFacts } from './record-facts.js';
import { RecordLabels } from './record-labels.js';
import { RecordVersions } from './record-versions.js';
import { lazily } from '../parts/lazily.js';
import { LoadingDialog } from '../parts/loading-dialog.js';

const RecordForm = lazily(
  () => import('../form/record-form.js').then((module) => module.RecordForm),
  <LoadingDialog />,
);

/** One record with its versions. */
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
        <Empty
          icon="deleted"
          actions={[
            { label: words.states.go.changes, to: zoneAddress(zone.name, 'history') },
            { label: words.states.go.records, to: zoneAddress(zone.name, 'records') },
          ]}
        >
          {words.record.gone}
        </Empty>
      )}
      {trouble !== null && !isGone && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={6} columns={[1, 3]} />}
    </section>
  );
}

function OpenRecord({ record }: { readonly record: StoredRecord }) {
  const { zone, etag, place } = useOpenZone();
  const { data: types } = useRecordTypes();
  const { entries } = usePending(place);
  const { values, open, close } = useOpening('dialog');
  const may = permittedAt(usePermitted(), record);
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
          <button
            type="button"
            aria-label={words.records.edit(name, record.type)}
            onClick={() => open({ dialog: 'edit' })}
          >
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
      {record.type === 'ALIAS' && <RecordAlias record={record} />}
      <RecordLabels record={record} mayEdit={may.update} />
      <RecordVersions record={record} may={may} />
      {values.dialog === 'edit' && may.update && entry?.action !== 'delete' && types !== undefined && (
        <RecordForm
          start={{
            kind: 'edit',
            key: record.id,
            before: record,
            draft: entry?.action === 'update' ? entry.record : null,
          }}
          types={types}
          onClose={close}
        />
      )}
    </>
  );
}
