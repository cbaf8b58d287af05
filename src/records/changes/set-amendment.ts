import type { RecordTypes } from '../../dns/rdata/index.js';
import { assertTtlAllowed } from '../../zones/zone-fields.js';
import type { RecordContent } from '../record-content.js';
import type { RecordEntity } from '../record.entity.js';
import {
  annotationsColumn,
  type DisabledRecord,
  readAnnotations,
  type SetAnnotations,
} from '../annotated-sets.repository.js';
import { isFollowed } from './alias-rules.js';
import type { OperationContext } from './operation-context.js';
import type { AmendSetOperation } from './record-operation.js';
import { SetNotes } from './set-notes.js';
import type { SetState } from './state/set-state.js';

export function amendSet(context: OperationContext, operation: AmendSetOperation, index: number): void {
  const { state, steps } = context;
  const { ownerKey, type } = operation;
  steps.assertMay(null, operation);
  const set = state.set(ownerKey, type);
  operation.expect?.(set?.exists === true ? set.row : null);
  const former = [...(set?.members.values() ?? [])];
  // The rules refuse a change of addresses that follow an ALIAS, with a better message.
  if (!isFollowed(state, operation)) operation.expectRecords?.(former);
  const isKept = operation.keepsRecords?.(state.zone, former) === true;
  const asked = isKept ? { ...operation, contents: undefined } : operation;
  const wanted = wantedOf(asked, former, readAnnotations(set?.row ?? null));
  assertRoom(context, wanted, set);
  const notes = new SetNotes(set);
  become(context, index, former, {
    ...wanted,
    expiresAt: notes.expiry((record) => wanted.enabled.has(record.fingerprint)),
  });
  notes.keepDescription(state, steps, operation);
  annotate(context, operation, wanted);
}

interface WantedSet {
  /** By fingerprint; `null` for an unchanged record. */
  readonly enabled: ReadonlyMap<string, RecordContent | null>;
  readonly annotations: SetAnnotations;
}

function wantedOf(
  { contents, added = [], removed = [], disabled: given, comments }: AmendSetOperation,
  former: readonly RecordEntity[],
  kept: SetAnnotations,
): WantedSet {
  const enabled = new Map<string, RecordContent | null>(
    contents?.map((content) => [content.fingerprint, content]) ?? former.map(({ fingerprint }) => [fingerprint, null]),
  );
  const disabled = new Map((given ?? kept.disabled).map((record) => [record.fingerprint, record]));
  for (const { content, isDisabled } of added) {
    const { fingerprint } = content;
    if (enabled.has(fingerprint) || disabled.has(fingerprint)) continue;
    if (isDisabled) disabled.set(fingerprint, disabledRecord(content));
    else enabled.set(fingerprint, content);
  }
  for (const fingerprint of removed) {
    enabled.delete(fingerprint);
    disabled.delete(fingerprint);
  }
  // Another interface may have created a record with the same value meanwhile.
  for (const fingerprint of enabled.keys()) disabled.delete(fingerprint);
  return { enabled, annotations: { comments: comments ?? kept.comments, disabled: [...disabled.values()] } };
}

export function disabledRecord({ data, priority, fingerprint }: RecordContent): DisabledRecord {
  return { data, priority, fingerprint };
}

/** Disabled records count as records of their set. Only growth can exceed the limit. */
function assertRoom({ rules }: OperationContext, { enabled, annotations }: WantedSet, set: SetState | null): void {
  const { disabled } = annotations;
  const before = (set?.recordCount ?? 0) + readAnnotations(set?.row ?? null).disabled.length;
  const after = enabled.size + disabled.length;
  if (disabled.length === 0 || after <= before) return;
  rules.check({ zoneRecords: null, zoneRecordsets: null, recordsetRecords: after });
}

function become(
  context: OperationContext,
  index: number,
  former: readonly RecordEntity[],
  { enabled, expiresAt }: Pick<WantedSet, 'enabled'> & Pick<RecordContent, 'expiresAt'>,
): void {
  const { steps, rules, caller } = context;
  const before = new Map(former.map((record) => [record.fingerprint, record]));
  const keepsTtls = isServedAsSent(before, enabled, steps.zoneTtl);
  for (const [fingerprint, record] of before) if (!enabled.has(fingerprint)) steps.remove(index, record);
  for (const [fingerprint, content] of enabled) {
    if (content === null) continue;
    const record = before.get(fingerprint);
    const ttl = keepsTtls && record !== undefined ? record.ttl : content.ttl;
    if (record?.ttl !== ttl) assertTtlAllowed(ttl, rules.minTtl, caller);
    if (record === undefined) steps.create(index, { ...content, expiresAt });
    else {
      const data = isShownAs(content.data, record, rules.knownTypes) ? record.data : content.data;
      if (record.data !== data || record.ttl !== ttl)
        steps.update(index, record, { ...stayingContent(record, content), data, ttl });
    }
  }
}

/** Whether the set is already served with this TTL, which clients send back (behaviour 1.15, RFC 2181 §5.2). */
function isServedAsSent(
  before: ReadonlyMap<string, RecordEntity>,
  enabled: WantedSet['enabled'],
  zoneTtl: number,
): boolean {
  const sent = [...enabled.values()].find((content) => content !== null)?.ttl ?? null;
  const ttls = [...enabled].map(([fingerprint, content]) => (before.get(fingerprint) ?? content)?.ttl ?? null);
  const own = ttls.filter((ttl) => ttl !== null);
  return sent !== null && (own.length > 0 ? Math.min(...own) : zoneTtl) === sent;
}

/** Version 1 accepts text without quotes. Lists show it quoted, and clients send it back quoted. */
function isShownAs(text: string, record: RecordEntity, types: RecordTypes): boolean {
  if (record.data === text) return true;
  if (record.data.startsWith('"') || !text.startsWith('"')) return false;
  return types.stored(record.type)?.toText(Buffer.from(record.rdata, 'hex')) === text;
}

/** Keeps record fields that only other interfaces set. */
function stayingContent({ name, description, expiresAt }: RecordEntity, content: RecordContent): RecordContent {
  return { ...content, name, description, expiresAt };
}

function annotate(
  { state, steps }: OperationContext,
  { ownerKey, type, name, ttl: given }: AmendSetOperation,
  { annotations }: WantedSet,
): void {
  const column = annotationsColumn(annotations);
  const row = state.set(ownerKey, type)?.row ?? null;
  if (row === null) {
    if (column === null) return;
    steps.createEmptySet({ ownerKey, type, name, ttl: given ?? null, description: null, annotations: column });
    return;
  }
  const ttl = given === undefined ? row.ttl : given;
  const isEmpty = row.recordCount === 0;
  // A set without records exists only for its annotations and TTL, so compare these.
  if (column === row.annotations && (!isEmpty || (column !== null && ttl === row.ttl))) return;
  steps.annotate(row, { ttl, annotations: column });
}
