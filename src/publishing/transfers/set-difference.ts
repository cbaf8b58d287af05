import type { RecordSet } from '../../dns/master-file/record-set.js';

/** What leads from one set to another: `null` where there is nothing to remove, or to add. */
export interface SetDifference {
  readonly removed: RecordSet | null;
  readonly added: RecordSet | null;
}

/** What leads from the sets that a name had of a type to those that it has, of which signatures may make several. */
export function differencesOf(before: readonly RecordSet[], after: readonly RecordSet[]): SetDifference[] {
  if (before.length <= 1 && after.length <= 1) return [differenceOf(before[0] ?? null, after[0] ?? null)];
  const ttls = new Set([...before, ...after].map(({ ttl }) => ttl));
  const withTtl = (sets: readonly RecordSet[], ttl: number) => sets.find((set) => set.ttl === ttl) ?? null;
  return [...ttls].map((ttl) => differenceOf(withTtl(before, ttl), withTtl(after, ttl)));
}

/** A set is served with one TTL and one spelling of its owner name: where they differ, all of its records do. */
export function differenceOf(before: RecordSet | null, after: RecordSet | null): SetDifference {
  if (before === null || after === null || !isHeadedAlike(before, after)) return { removed: before, added: after };
  return { removed: without(before, after), added: without(after, before) };
}

function isHeadedAlike(one: RecordSet, other: RecordSet): boolean {
  return one.ttl === other.ttl && Buffer.compare(one.owner.wire, other.owner.wire) === 0;
}

/** The records of a set that the other one does not have, octet for octet. */
function without(set: RecordSet, other: RecordSet): RecordSet | null {
  const others = new Set(other.rdatas.map(textOf));
  const rdatas = set.rdatas.filter((rdata) => !others.has(textOf(rdata)));
  return rdatas.length === 0 ? null : { ...set, rdatas };
}

function textOf(rdata: Uint8Array): string {
  return Buffer.from(rdata.buffer, rdata.byteOffset, rdata.length).toString('latin1');
}
