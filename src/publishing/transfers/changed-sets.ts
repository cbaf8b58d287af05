import { Injectable } from '@nestjs/common';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { groupedBy } from '../../common/grouped.js';
import type { Transaction } from '../../database/transaction.js';
import { NS } from '../../dns/rdata/ns.js';
import type { PastChanges } from '../../history/point-in-time-zones.js';
import type { SetKey } from '../../records/record-set.entity.js';
import { RecordRepository, type ServedRecord } from '../../records/record.repository.js';
import { ServedZone } from '../../records/served/served-zone.js';
import { comparePositions } from '../../records/stored-record.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** A record set with its records as they were and as they are, by their fingerprints. */
export interface ChangedSet extends SetKey {
  readonly before: readonly ServedRecord[];
  readonly now: readonly ServedRecord[];
}

/** So many keys are looked up at a time. */
const AT_A_TIME = 500;

/** Reads the record sets that are not what they were, or may not be. */
@Injectable()
export class ChangedSets {
  constructor(
    private readonly records: RecordRepository,
    private readonly served: ServedZone,
  ) {}

  /**
   * @param zone as `tx` sees it
   * @returns `null` where it cannot be told of all sets what is served
   */
  async read(tx: Transaction, zone: ZoneEntity, past: PastChanges): Promise<ChangedSet[] | null> {
    const before = past.positions.map(({ kept }) => kept);
    if (!areKept(before)) return null;
    const ids = [...past.changed.values()].flatMap(({ id, exists }) => (exists ? [id] : []));
    const present = await inBatches(ids, (chunk) => this.records.findAll(tx, zone.id, chunk));
    const keys = [...new Map([...before, ...present, ...generatedSets(zone, past.zone)].map(entryOf)).values()];
    if (!(await this.areReadable(tx, zone.id, keys))) return null;
    const now = await inBatches(keys, (chunk) => this.records.ofSets(tx, zone.id, chunk));
    return changedSets(keys, { before, now }, past);
  }

  /** A record of an unknown type may have been of any set at its owner name. */
  private async areReadable(tx: Transaction, zoneId: string, keys: readonly SetKey[]): Promise<boolean> {
    const owners = [...new Set(keys.map(({ ownerKey }) => ownerKey))];
    const sets = await inBatches(owners, (chunk) => this.records.setsAt(tx, zoneId, chunk));
    return [...sets, ...keys].every(({ type }) => this.served.isKnown(type));
  }
}

/** What has been too long to be kept, or could not be placed among the records of the zone. */
function areKept(records: readonly (ServedRecord | null)[]): records is readonly ServedRecord[] {
  return records.every((record) => record !== null && record.fingerprint !== '');
}

/** Name servers of the configuration, and those of a zone's own at its apex, are served without being stored. */
function generatedSets(zone: ZoneEntity, before: ZoneEntity): SetKey[] {
  const isSame = zone.generation === before.generation && zone.apexNs === before.apexNs;
  return isSame ? [] : [{ ownerKey: zone.nameKey, type: NS.name }];
}

function changedSets(
  keys: readonly SetKey[],
  records: { readonly before: readonly ServedRecord[]; readonly now: readonly ServedRecord[] },
  { changed }: PastChanges,
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

/** No type has a line feed. */
function textOf({ ownerKey, type }: SetKey): string {
  return `${type}\n${ownerKey}`;
}

/** Reading is synchronous on SQLite: others get their turn between two portions. */
async function inBatches<K, T>(keys: readonly K[], read: (chunk: readonly K[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let at = 0; at < keys.length; at += AT_A_TIME) {
    if (at > 0) await nextTurn();
    for (const item of await read(keys.slice(at, at + AT_A_TIME))) found.push(item);
  }
  return found;
}
