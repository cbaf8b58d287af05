import { lookInto } from '../support/stored.js';
import type { ToldDomain } from './clients.js';

/** Ids of records by their names, by domain. */
export type RecordsByDomain = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The acknowledged records. */
export function told(domains: readonly ToldDomain[]): RecordsByDomain {
  return Object.fromEntries(domains.map(({ name, records }) => [name, Object.fromEntries(records)]));
}

/** As they are stored. */
export function stored(database: string): RecordsByDomain {
  return lookInto(database, ({ rows }) => {
    const zones = rows<{ id: string; name: string }>('SELECT id, name FROM zones');
    const inZone = 'SELECT name, id FROM records WHERE zone_id = ?';
    const recordsOf = (zoneId: string): Readonly<Record<string, string>> =>
      Object.fromEntries(rows<{ name: string; id: string }>(inZone, zoneId).map(({ name, id }) => [name, id]));
    return Object.fromEntries(zones.map(({ id, name }) => [name, recordsOf(id)]));
  });
}

export interface Differences {
  /** Records that were acknowledged and are not there. */
  readonly lost: number;
  /** Records that exist without an acknowledgment. */
  readonly doubled: number;
}

/** Compares domains without further changes. */
export function differences(domains: readonly ToldDomain[], database: string): Differences {
  const found = lookInto(database, ({ rows }) =>
    domains.map(({ id }) => rows<{ id: string }>('SELECT id FROM records WHERE zone_id = ?', id).map((row) => row.id)),
  );
  const figures = { lost: 0, doubled: 0 };
  domains.forEach(({ records }, at) => {
    const [acknowledged, there] = [new Set(records.values()), new Set(found[at])];
    figures.lost += [...acknowledged].filter((id) => !there.has(id)).length;
    figures.doubled += [...there].filter((id) => !acknowledged.has(id)).length;
  });
  return figures;
}
