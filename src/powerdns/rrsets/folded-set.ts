import { disabledRecord } from '../../records/changes/set-amendment.js';
import type { AmendSetOperation } from '../../records/changes/record-operation.js';
import type { DisabledRecord, SetComment } from '../../records/annotated-sets.repository.js';
import type { SetKey } from '../../records/record-set.entity.js';
import { unprocessable } from '../input.js';
import type { ContentInput, RrsetInput } from './rrset-input.js';

export interface FoldedSet extends SetKey {
  readonly name: string;
  /** In seconds, from the last entry with a TTL. */
  readonly ttl: number | null;
  /** All records; `null`: the stored ones with the additions and removals below. */
  readonly records: readonly ContentInput[] | null;
  readonly added: readonly ContentInput[];
  readonly removed: readonly string[];
  /** `null`: keep the stored comments. */
  readonly comments: readonly SetComment[] | null;
  /** The TTL that the stored set must have for EXTEND. */
  readonly expectedTtl: number | null;
}

/** One for each set, in the order of first mention. */
export function folded(rrsets: readonly RrsetInput[]): FoldedSet[] {
  const sets = new Map<string, FoldedSet>();
  for (const rrset of rrsets) {
    const key = `${rrset.ownerKey} ${rrset.type}`;
    sets.set(key, next(sets.get(key) ?? untouched(rrset), rrset));
  }
  return [...sets.values()];
}

function untouched({ name, ownerKey, type }: RrsetInput): FoldedSet {
  const nothing = { records: null, added: [], removed: [], comments: null, expectedTtl: null };
  return { name, ownerKey, type, ttl: null, ...nothing };
}

function next(set: FoldedSet, rrset: RrsetInput): FoldedSet {
  const { changetype, records, ttl } = rrset;
  if (changetype === 'DELETE')
    return { ...set, records: [], added: [], removed: [], comments: [], ttl: null, expectedTtl: null };
  if (changetype === 'REPLACE') {
    const comments = rrset.comments ?? set.comments;
    return records === null
      ? { ...set, comments }
      : { ...set, records, added: [], removed: [], comments, ttl, expectedTtl: null };
  }
  const [record] = records ?? [];
  if (record === undefined) return set;
  return changetype === 'EXTEND' ? extended(set, record, ttl) : pruned(set, record);
}

function extended(set: FoldedSet, record: ContentInput, ttl: number | null): FoldedSet {
  const { fingerprint } = record.content;
  if (set.ttl !== null && set.ttl !== ttl) throw differentTtl(set);
  const removed = set.removed.filter((other) => other !== fingerprint);
  if (set.records === null) return { ...set, added: [...set.added, record], removed, ttl, expectedTtl: ttl };
  const isThere = set.records.some(({ content }) => content.fingerprint === fingerprint);
  return isThere ? set : { ...set, records: [...set.records, record], ttl };
}

function pruned(set: FoldedSet, { content: { fingerprint } }: ContentInput): FoldedSet {
  const isOther = ({ content }: ContentInput): boolean => content.fingerprint !== fingerprint;
  if (set.records !== null) return { ...set, records: set.records.filter(isOther) };
  return { ...set, added: set.added.filter(isOther), removed: [...set.removed, fingerprint] };
}

export function operationOf(set: FoldedSet, zoneTtl: number): AmendSetOperation {
  const { name, ownerKey, type, records, added, removed, comments, ttl, expectedTtl } = set;
  const all = records !== null && {
    contents: records.filter(({ isDisabled }) => !isDisabled).map(({ content }) => content),
    disabled: disabledOf(records),
    ttl,
  };
  const expect: AmendSetOperation['expect'] = (found) => {
    if (expectedTtl !== null && found !== null && (found.ttl ?? zoneTtl) !== expectedTtl) throw differentTtl(set);
  };
  return {
    action: 'amend set',
    ...{ name, ownerKey, type, added, removed, expect },
    ...all,
    ...(comments !== null && { comments }),
    ...(ttl !== null && { ttl }),
  };
}

function disabledOf(records: readonly ContentInput[]): DisabledRecord[] {
  return records.filter(({ isDisabled }) => isDisabled).map(({ content }) => disabledRecord(content));
}

export function differentTtl({ name, type }: Pick<FoldedSet, 'name' | 'type'>): Error {
  return unprocessable(`RRset ${name} IN ${type} uses a different TTL value than the remainder of the RRset`);
}
