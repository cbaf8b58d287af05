import { labelsColumn, labelsOf } from '../../common/labels.js';
import { ServiceError } from '../../common/service-error.js';
import { NS } from '../../dns/rdata/name-types.js';
import { assertTtlAllowed } from '../../zones/zone-fields.js';
import { mergedContent } from './merged-content.js';
import type { OperationContext } from './operation-context.js';
import type { RecordContent } from '../record-content.js';
import type {
  CreateSetOperation,
  DeleteSetOperation,
  DoneSetOperation,
  LabelSetOperation,
  UpdateSetOperation,
} from './record-operation.js';
import { descriptionOf, type RecordSetEntity, type SetKey } from '../record-set.entity.js';
import type { RecordEntity } from '../record.entity.js';
import { SetNotes } from './set-notes.js';
import type { SetState } from './state/set-state.js';
import type { ZoneState } from './state/zone-state.js';

type SetWithRecords = Pick<DoneSetOperation, 'set' | 'records'>;

export function createSet(context: OperationContext, operation: CreateSetOperation, index: number): SetWithRecords {
  const { state, steps, rules, caller } = context;
  const { contents, ttl } = operation;
  steps.assertMay('create', operation);
  assertNew(context, operation);
  assertTtlAllowed(ttl, rules.minTtl, caller);
  if (contents.length === 0) return { set: steps.createEmptySet(operation), records: [] };
  const records = contents.map((content) => steps.create(index, content));
  // The records came one by one, but they are the first version of the set.
  const { description } = operation;
  const labels = labelsColumn(operation.labels ?? {});
  return {
    set: steps.putSet({ ...rowOf(state, operation), description, labels, version: 1, updatedAt: null }),
    records,
  };
}

export function updateSet(context: OperationContext, operation: UpdateSetOperation, index: number): SetWithRecords {
  const { state, steps, rules, caller } = context;
  steps.assertMay(null, operation);
  const set = existing(state, operation);
  const former = membersOf(set);
  const shown = descriptionOf(set.row, former);
  const { ttl = set.row.ttl, description = shown } = operation;
  if (ttl !== set.row.ttl) assertTtlAllowed(ttl, rules.minTtl, caller);
  become(context, index, { former, own: set.row.description }, operation.contents, { ttl, description });
  const records = membersOf(state.set(operation.ownerKey, operation.type));
  const row = rowOf(state, operation);
  const labels = operation.labels === undefined ? row.labels : labelsColumn(operation.labels);
  if (records.length === 0) return { set: steps.keepEmptySet(row, { ttl, description, labels }), records };
  const described = description === shown ? row : steps.describeSet(row, description, row === set.row);
  return { set: steps.labelSet(described, labels, described === set.row), records };
}

export function deleteSet(
  { state, steps }: OperationContext,
  operation: DeleteSetOperation,
  index: number,
): SetWithRecords {
  steps.assertMay(null, operation);
  const set = existing(state, operation);
  const records = membersOf(set);
  for (const record of records) steps.remove(index, record);
  if (records.length === 0) steps.removeEmptySet(operation);
  return { set: set.row, records };
}

export function labelSet({ state, steps }: OperationContext, operation: LabelSetOperation): void {
  steps.assertMay(null, operation);
  const set = state.set(operation.ownerKey, operation.type);
  operation.expect?.(labelsOf({ labels: set?.row?.labels ?? null }));
  if (set?.exists !== true || set.row === null) {
    if (Object.keys(operation.labels).length === 0) return;
    const message = `${operation.name} has no ${operation.type} records; create them first, or in the same change set.`;
    throw ServiceError.ofField('invalid_object', 'name', 'enum', message);
  }
  steps.labelSet(set.row, labelsColumn(operation.labels), true);
}

export function noSuchRecordSet(): ServiceError {
  return new ServiceError('record_set_not_found', 'There is no such record set in this zone; list its record sets.');
}

/** Records with unchanged content stay. Their ttl and description change only if the set would show other values. */
function become(
  context: OperationContext,
  index: number,
  { former, own }: { readonly former: readonly RecordEntity[]; readonly own: string | null },
  contents: readonly RecordContent[] | undefined,
  shown: { readonly ttl: number | null; readonly description: string | null },
): void {
  const { steps } = context;
  const notes = new SetNotes({ row: null, members: new Map(former.map((record) => [record.id, record])) });
  const asked = contents && new Map(contents.map((content) => [content.fingerprint, content]));
  const staying = asked === undefined ? former : former.filter(({ fingerprint }) => asked.has(fingerprint));
  const known = new Set(staying.map(({ fingerprint }) => fingerprint));
  const coming = (contents ?? []).filter(({ fingerprint }) => !known.has(fingerprint));
  const ttls = [...staying.map(({ ttl }) => ttl), ...coming.map(() => shown.ttl)];
  const fields = {
    ...(smallestOf(ttls) === shown.ttl ? {} : { ttl: shown.ttl }),
    ...((own ?? staying[0]?.description) === shown.description ? {} : { description: shown.description }),
  };
  for (const record of staying)
    amend(context, index, record, { data: asked?.get(record.fingerprint)?.data, ...fields });
  const expiresAt = notes.expiry(({ fingerprint }) => known.has(fingerprint));
  for (const content of coming) steps.create(index, { ...content, ...shown, expiresAt });
  for (const record of former) if (!known.has(record.fingerprint)) steps.remove(index, record);
}

interface AmendedFields {
  readonly data?: string | undefined;
  readonly ttl?: number | null;
  readonly description?: string | null;
}

function amend({ steps, rules }: OperationContext, index: number, record: RecordEntity, fields: AmendedFields): void {
  const { data = record.data, ttl = record.ttl, description = record.description } = fields;
  if (data === record.data && ttl === record.ttl && description === record.description) return;
  steps.update(index, record, mergedContent(rules.types, record, { data, ttl, description }));
}

/** A second record of a singleton type is misplaced. A full quota comes before a duplicate (behaviour 3.4, 5.6). */
function assertNew(
  { state, steps, rules }: OperationContext,
  { ownerKey, type, name, contents }: CreateSetOperation,
): void {
  const isManaged = type === NS.name && ownerKey === state.zone.nameKey;
  if (!isManaged && (state.set(ownerKey, type)?.row ?? null) === null) return;
  const message = `${name} has a record set of type ${type} already; update that one instead.`;
  if (rules.types.byName(type)?.placement.isSingle === true)
    throw ServiceError.ofField('invalid_location', 'name', 'format', message);
  steps.assertRoomFor(contents.length);
  throw ServiceError.ofField('duplicate_record_set', 'name', 'enum', message);
}

interface StoredSet extends Pick<SetState, 'members'> {
  readonly row: RecordSetEntity;
}

function existing(state: ZoneState, { ownerKey, type, setId }: SetKey & { readonly setId: string }): StoredSet {
  const set = state.set(ownerKey, type);
  if (set?.row?.id !== setId) throw noSuchRecordSet();
  return { row: set.row, members: set.members };
}

function rowOf(state: ZoneState, { ownerKey, type }: SetKey): RecordSetEntity {
  const row = state.set(ownerKey, type)?.row ?? null;
  if (row === null) throw new Error('a record set was lost while it was changed');
  return row;
}

function membersOf(set: Pick<SetState, 'members'> | null): RecordEntity[] {
  return [...(set?.members.values() ?? [])].sort((one, other) => (one.id < other.id ? -1 : 1));
}

function smallestOf(ttls: readonly (number | null)[]): number | null {
  const known = ttls.filter((ttl) => ttl !== null);
  return known.length > 0 ? Math.min(...known) : null;
}
