import { setTimeout as delay } from 'node:timers/promises';
import { serialOf } from '../support/name-servers/name-servers.js';
import { lookInto } from '../support/stored.js';
import type { Place } from './place.js';
import { lineOf, type Told } from './writers.js';

/** In milliseconds; a name server asks by itself again after a minute at most. */
const PATIENCE = 180_000;

interface StoredRecord {
  readonly name: string;
  readonly type: string;
  readonly data: string;
}

/** Describes domains that lack acknowledged records, have them twice, or have others. */
export function wrongDomains(domains: readonly Told[], database: string): string[] {
  return lookInto(database, ({ rows }) => {
    const names = rows<{ name: string }>('SELECT name FROM zones').map(({ name }) => name);
    const told = new Set(domains.map(({ name }) => name));
    const strangers = names.filter((name) => !told.has(name)).map((name) => `${name}: never acknowledged`);
    const select = 'SELECT name, type, data FROM records WHERE zone_id = ?';
    return [...strangers, ...domains.flatMap((domain) => differencesOf(domain, rows<StoredRecord>(select, domain.id)))];
  });
}

function differencesOf({ name, records }: Told, stored: readonly StoredRecord[]): string[] {
  const lines = stored.map((record) => lineOf(record.name, record.type, record.data));
  const found = new Set(lines);
  return [
    ...(found.size === lines.length ? [] : [`${name}: a record is there twice`]),
    ...[...records].filter((line) => !found.has(line)).map((line) => `${name}: lost ${line}`),
    ...[...found].filter((line) => !records.has(line)).map((line) => `${name}: never acknowledged ${line}`),
  ];
}

/** Zones that a name server does not have as they are stored, after it has had time for them. */
export async function missingZones(place: Place, database: string): Promise<string[]> {
  await place.syncNsd();
  const zones = lookInto(database, ({ rows }) =>
    rows<{ name: string; serial: number }>('SELECT name, serial FROM zones'),
  );
  const deadline = performance.now() + PATIENCE;
  let missing = place.secondaries.flatMap((server) => zones.map((zone) => ({ server, zone })));
  while (missing.length > 0 && performance.now() < deadline) {
    const late: typeof missing = [];
    for (const one of missing) if ((await serialOf(one.server.port, one.zone.name)) !== one.zone.serial) late.push(one);
    missing = late;
    await delay(100);
  }
  return missing.map(({ server, zone }) => `${server.name} does not have ${zone.name} ${zone.serial}`);
}
