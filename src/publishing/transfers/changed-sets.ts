import { Injectable } from '@nestjs/common';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { groupedBy } from '../../common/grouped.js';
import type { Transaction } from '../../database/transaction.js';
import { NS } from '../../dns/rdata/name-types.js';
import type { PointInTimeDifference } from '../../history/point-in-time-zones.js';
import type { SetKey } from '../../records/record-set.entity.js';
import { RecordRepository, type ServedRecord } from '../../records/record.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { comparePositions } from '../../records/stored-record.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import type { RecordSet } from '../../dns/master-file/master-file-writer.js';

export interface ChangedSet extends SetKey {
  readonly before: readonly ServedRecord[];
  readonly now: readonly ServedRecord[];
}

const AT_A_TIME = 500;

@Injectable()
export class ChangedSets {
  constructor(
    private readonly records: RecordRepository,
    private readonly served: ServedZone,
  ) {}

  /** Returns `null` if the served records of some set are unknown. `zone` is as `tx` sees it. */
  async read(tx: Transaction, zone: ZoneEntity, past: PointInTimeDifference): Promise<ChangedSet[] | null> {
    const before = past.positions.map(({ kept }) => kept);
    if (!areKept(before)) return null;
    const ids = [...past.changed.values()].flatMap(({ id, exists }) => (exists ? [id] : []));
    const present = await inBatches(ids, (chunk) => this.records.findAll(tx, zone.id, chunk));
    const keys = [...new Map([...before, ...present, ...generatedSets(zone, past.zone)].map(entryOf)).values()];
    if (!(await this.areReadable(tx, zone.id, keys))) return null;
    const now = await inBatches(keys, (chunk) => this.records.ofSets(tx, zone.id, chunk));
    return changedSets(keys, { before, now }, past);
  }

  /** A record of an unknown type may have belonged to any set at its owner name. */
  private async areReadable(tx: Transaction, zoneId: string, keys: readonly SetKey[]): Promise<boolean> {
    const owners = [...new Set(keys.map(({ ownerKey }) => ownerKey))];
    const sets = await inBatches(owners, (chunk) => this.records.setsAt(tx, zoneId, chunk));
    return [...sets, ...keys].every(({ type }) => this.served.isKnown(type));
  }
}

/** False for records that were too long for the journal, or without a position in the zone. */
function areKept(records: readonly (ServedRecord | null)[]): records is readonly ServedRecord[] {
  return records.every((record) => record !== null && record.fingerprint !== '');
}

/** Configured name servers and the apex NS of a zone are served without being stored. */
function generatedSets(zone: ZoneEntity, before: ZoneEntity): SetKey[] {
  const isSame = zone.generation === before.generation && zone.apexNs === before.apexNs;
  return isSame ? [] : [{ ownerKey: zone.nameKey, type: NS.name }];
}

function changedSets(
  keys: readonly SetKey[],
  records: { readonly before: readonly ServedRecord[]; readonly now: readonly ServedRecord[] },
  { changed }: PointInTimeDifference,
): Promise<ChangedSet[]> {
  const before = groupedBy(records.before, textOf);
  const now = groupedBy(records.now, textOf);
  return inBatches(keys, (chunk) =>
    Promise.resolve(
      chunk.map((key) => {
        const present = now.get(textOf(key)) ?? [];
        const unchanged = present.filter(({ id }) => !changed.has(id));
        return {
          ...key,
          before: [...unchanged, ...(before.get(textOf(key)) ?? [])].sort(comparePositions),
          now: present.sort(comparePositions),
        };
      }),
    ),
  );
}

function entryOf({ ownerKey, type }: SetKey): [string, SetKey] {
  return [textOf({ ownerKey, type }), { ownerKey, type }];
}

/** No type contains a line feed. */
function textOf({ ownerKey, type }: SetKey): string {
  return `${type}\n${ownerKey}`;
}

/** SQLite reads synchronously: other work has its turn between two portions. */
async function inBatches<K, T>(keys: readonly K[], read: (chunk: readonly K[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < keys.length; at += AT_A_TIME) {
    if (at > 0) await nextTurn();
    for (const item of await read(keys.slice(at, at + AT_A_TIME))) found.push(item);
  }
  return found;
}

export interface SetDifference {
  readonly removed: RecordSet | null;
  readonly added: RecordSet | null;
}

/** Returns the differences between the sets of a name and type; signatures may make several sets. */
export function differencesOf(before: readonly RecordSet[], after: readonly RecordSet[]): SetDifference[] {
  if (before.length <= 1 && after.length <= 1) return [differenceOf(before[0] ?? null, after[0] ?? null)];
  const ttls = new Set([...before, ...after].map(({ ttl }) => ttl));
  const withTtl = (sets: readonly RecordSet[], ttl: number) => sets.find((set) => set.ttl === ttl) ?? null;
  return [...ttls].map((ttl) => differenceOf(withTtl(before, ttl), withTtl(after, ttl)));
}

/** A set is served with one TTL and one case of its owner name. If these differ, all records differ. */
export function differenceOf(before: RecordSet | null, after: RecordSet | null): SetDifference {
  if (before === null || after === null || !isHeadedAlike(before, after)) return { removed: before, added: after };
  return { removed: without(before, after), added: without(after, before) };
}

function isHeadedAlike(one: RecordSet, other: RecordSet): boolean {
  return one.ttl === other.ttl && Buffer.compare(one.owner.wire, other.owner.wire) === 0;
}

function without(set: RecordSet, other: RecordSet): RecordSet | null {
  const others = new Set(other.rdatas.map(rdataKey));
  const rdatas = set.rdatas.filter((rdata) => !others.has(rdataKey(rdata)));
  return rdatas.length === 0 ? null : { ...set, rdatas };
}

function rdataKey(rdata: Uint8Array): string {
  return Buffer.from(rdata.buffer, rdata.byteOffset, rdata.length).toString('latin1');
}
