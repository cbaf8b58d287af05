import type { StoredRecord } from '../api/types.js';
import type { Entry } from '../changes/pending.js';

/** A record as far as it belongs to a record set. */
export interface SetMember {
  readonly key: string;
  readonly name: string;
  readonly type: string;
  readonly ttl: number | null;
}

/**
 * The TTL that the set of a record would be published with, which is the lowest of its records (behaviour 4.6); `null` where all of
 * them have it anyway.
 */
export function ttlOfMixedSet(
  own: SetMember,
  stored: readonly StoredRecord[],
  entries: readonly Entry[],
  zoneTtl: number,
): number | null {
  const others = membersOf(stored, entries).filter((one) => one.key !== own.key && isSameSet(one, own));
  if (others.length === 0) return null;
  const ttls = [own, ...others].map(({ ttl }) => ttl);
  const said = ttls.filter((ttl) => ttl !== null);
  const published = said.length === 0 ? zoneTtl : Math.min(...said);
  return ttls.every((ttl) => (ttl ?? zoneTtl) === published) ? null : published;
}

/** Members after the entries. */
function membersOf(stored: readonly StoredRecord[], entries: readonly Entry[]): SetMember[] {
  const changed = new Set(entries.map(({ key }) => key));
  const kept = stored.filter(({ id }) => !changed.has(id)).map((record) => ({ ...record, key: record.id }));
  const made = entries.flatMap((entry) => (entry.action === 'delete' ? [] : [{ ...entry.record, key: entry.key }]));
  return [...kept, ...made];
}

const isSameSet = (one: SetMember, other: SetMember): boolean =>
  one.type === other.type && one.name.toLowerCase() === other.name.toLowerCase();
