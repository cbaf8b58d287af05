import { expect } from '@jest/globals';
import { knownRecordTypes } from '../../src/app/composition/record-types.js';
import { DomainName } from '../../src/dns/name.js';
import { readRecordContent } from '../../src/records/record-content.js';
import type { ApexNs, RecordSnapshot, ZoneSnapshot } from '../../src/plugins/change-listener.js';
import { readStep, type Step } from '../../src/zones/journal/journal-format.js';
import { lookInto, type Stored } from './stored.js';

/**
 * Checks the invariants of a database file or a PostgreSQL URL: counters match, the journal is complete, derived values
 * match their sources. Only reads, so it may run while the service runs.
 * @param isHistoryCut whether retention may have removed the oldest journal entries (behavior 11.4)
 */
export function audit(database: string, { isHistoryCut = false } = {}): void {
  const look = (stored: Stored): Fault[] => [
    ...rulesOf(stored).flatMap(({ rule, offenders }) => stored.rows(offenders).map((row) => ({ rule, row }))),
    ...faultsOfJournals(stored, isHistoryCut),
    ...faultsOfRecords(stored),
  ];
  const faults = lookInto(database, look, true);
  expect(faults).toEqual([]);
}

/**
 * A fingerprint of records, domains and journal rows: two equal results mean that no change was stored in between. One
 * line for each row, since comparing two texts is fast.
 */
export function contentsOf(database: string): string {
  return lookInto(database, ({ rows }) => CONTENTS.flatMap((sql) => rows(sql)))
    .map((row) => JSON.stringify(row))
    .join('\n');
}

const CONTENTS = [
  'SELECT * FROM zones ORDER BY id',
  'SELECT * FROM tenants WHERE zone_count <> 0 ORDER BY id',
  'SELECT * FROM record_sets ORDER BY zone_id, owner_key, type',
  'SELECT * FROM records ORDER BY zone_id, id',
  // Numbers of a journal have no gap.
  'SELECT zone_id, MIN(number), MAX(number) FROM journal GROUP BY zone_id ORDER BY zone_id',
];

interface Fault {
  readonly rule: string;
  readonly row: unknown;
}

interface Rule {
  readonly rule: string;
  /** Returns the rows that break the rule. */
  readonly offenders: string;
}

const SOUND_FILE: Rule = {
  rule: 'the file is sound',
  offenders: "SELECT * FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
};

/** Faults that one statement can find. */
function rulesOf({ isPostgres }: Stored): readonly Rule[] {
  return isPostgres ? RULES : [SOUND_FILE, ...RULES];
}

/** Contents of large zones come before them, and are removed where these never come. */
const HAS_COME = 'zone_id NOT IN (SELECT zone_id FROM incoming_zones)';
/** Those of deleted large zones are removed later. */
const IS_STORED = `${HAS_COME} AND zone_id NOT IN (SELECT zone_id FROM left_contents)`;

const RULES: readonly Rule[] = [
  {
    rule: 'record_count and record_set_count of a domain are counts',
    offenders: `
      SELECT * FROM (SELECT name, record_count, record_set_count,
        (SELECT COUNT(*) FROM records WHERE zone_id = zones.id) AS records,
        (SELECT COUNT(*) FROM (SELECT DISTINCT owner_key, type FROM records WHERE zone_id = zones.id) AS sets)
          + (SELECT COUNT(*) FROM record_sets WHERE zone_id = zones.id AND record_count = 0) AS record_sets
        FROM zones) AS counted
      WHERE record_count <> records OR record_set_count <> record_sets`,
  },
  {
    rule: 'the record sets are the records, grouped, with the smallest of their ttls',
    offenders: `
      WITH counted AS (SELECT zone_id, owner_key, type, COUNT(*), SUM(LENGTH(rdata)) / 2, MIN(ttl) FROM records
        WHERE ${IS_STORED} GROUP BY 1, 2, 3),
      kept AS (SELECT zone_id, owner_key, type, record_count, octets, ttl FROM record_sets
        WHERE record_count > 0 AND ${IS_STORED})
      SELECT * FROM (SELECT * FROM kept EXCEPT SELECT * FROM counted) AS stored
      UNION ALL SELECT * FROM (SELECT * FROM counted EXCEPT SELECT * FROM kept) AS missing`,
  },
  {
    rule: 'the version of a record set starts at 1 and updated_at comes with the second',
    offenders: `
      SELECT id, version, updated_at FROM record_sets
      WHERE version < 1 OR (version > 1) <> (updated_at NOTNULL) OR updated_at < created_at`,
  },
  {
    rule: 'a record set without records has nothing of records',
    offenders: `
      SELECT s.id, record_count, octets FROM record_sets s WHERE record_count = 0 AND (octets <> 0
        OR EXISTS (SELECT * FROM records r WHERE r.zone_id = s.zone_id AND r.owner_key = s.owner_key AND r.type = s.type))`,
  },
  {
    rule: 'the serial of a record set is one that its domain has had',
    offenders: `
      SELECT s.id, s.serial, z.serial FROM record_sets s JOIN zones z ON z.id = s.zone_id
      WHERE s.serial IS NOT NULL AND (z.serial - s.serial + 4294967296) % 4294967296 >= 2147483648`,
  },
  {
    rule: 'zone_count of a tenant is a count',
    offenders: `
      SELECT owner.tenant_id, zone_count FROM
        (SELECT tenant_id FROM zones UNION SELECT id FROM tenants WHERE zone_count <> 0) AS owner
        LEFT JOIN tenants ON tenants.id = owner.tenant_id
      WHERE zone_count IS DISTINCT FROM (SELECT COUNT(*) FROM zones WHERE tenant_id = owner.tenant_id)`,
  },
  {
    rule: 'what webhooks have in their queues is a sum',
    offenders: `
      SELECT * FROM (SELECT webhook_id, waiting, dead, CAST(octets AS integer) AS octets FROM webhook_usage
        WHERE waiting <> 0 OR dead <> 0 OR octets <> 0) AS stored
      EXCEPT SELECT webhook_id, CAST(SUM(CASE status WHEN 'waiting' THEN 1 ELSE 0 END) AS integer),
        CAST(SUM(CASE status WHEN 'dead' THEN 1 ELSE 0 END) AS integer), CAST(SUM(octets) AS integer)
        FROM webhook_deliveries WHERE status <> 'delivered' GROUP BY webhook_id`,
  },
  {
    rule: 'whatever waits is in the sum of its webhook',
    offenders: `
      SELECT webhook_id, id FROM webhook_deliveries WHERE status <> 'delivered'
        AND webhook_id NOT IN (SELECT webhook_id FROM webhook_usage WHERE waiting + dead > 0)`,
  },
  {
    rule: 'what is stored for the webhooks of a tenant is a sum, and is needed',
    offenders: `
      SELECT tenant_id, octets FROM webhook_tenants WHERE octets <>
        (SELECT COALESCE(SUM(octets), 0) FROM webhook_events e WHERE e.tenant_id = webhook_tenants.tenant_id)
      UNION ALL SELECT event_id, octets FROM webhook_events WHERE tenant_id NOT IN (SELECT tenant_id FROM webhook_tenants)
        OR event_id NOT IN (SELECT event_id FROM webhook_deliveries WHERE status <> 'delivered')`,
  },
  {
    rule: 'everything belongs to a domain',
    offenders: `
      SELECT zone_id, id FROM records WHERE zone_id NOT IN (SELECT id FROM zones) AND ${IS_STORED}
      UNION ALL SELECT zone_id, owner_key FROM record_sets WHERE zone_id NOT IN (SELECT id FROM zones) AND ${IS_STORED}`,
  },
  {
    rule: 'a zone that is on its way, or whose records are removed, is not there',
    offenders: `
      SELECT id FROM zones WHERE id IN (SELECT zone_id FROM incoming_zones UNION SELECT zone_id FROM left_contents)`,
  },
  {
    rule: 'a CNAME stands alone and below the apex',
    offenders: `
      SELECT alias.zone_id, alias.owner_key FROM record_sets AS alias JOIN zones ON zones.id = alias.zone_id
      WHERE alias.type = 'CNAME' AND (alias.record_count > 1 OR alias.owner_key = zones.name_key OR EXISTS (
        SELECT * FROM record_sets WHERE zone_id = alias.zone_id AND owner_key = alias.owner_key AND type <> 'CNAME'
          AND record_count > 0 AND alias.record_count > 0))`,
  },
  {
    rule: 'a null MX stands alone',
    offenders: `
      SELECT zone_id, records.name FROM records JOIN record_sets USING (zone_id, owner_key, type)
      WHERE type = 'MX' AND rdata LIKE '____00' AND record_count > 1`,
  },
  {
    rule: 'domains of two tenants do not contain each other',
    offenders: `
      SELECT parent.name, child.name AS child FROM zones AS parent JOIN zones AS child
      ON child.name_key >= parent.name_key || ' ' AND child.name_key < parent.name_key || '!'
      WHERE parent.tenant_id <> child.tenant_id`,
  },
  {
    rule: 'ids of records grow with the time of their creation',
    offenders: `
      SELECT zone_id, id, created_at FROM
        (SELECT *, LAG(created_at) OVER (PARTITION BY zone_id ORDER BY id) AS earlier FROM records) AS aged
      WHERE created_at <= earlier`,
  },
  {
    rule: 'times of a record and of its domain do not run backwards',
    offenders: `
      SELECT records.id, records.created_at, records.updated_at, changed_at FROM records
      JOIN zones ON zones.id = zone_id
      WHERE records.updated_at <= records.created_at OR changed_at < records.created_at
        OR changed_at < records.updated_at`,
  },
  {
    rule: 'the version of a record starts at 1 and updated_at comes with the second',
    offenders: 'SELECT id, version, updated_at FROM records WHERE version < 1 OR (version > 1) <> (updated_at NOTNULL)',
  },
];

interface JournalRow {
  readonly zone_id: string;
  readonly number: number;
  readonly serial: number;
  readonly change_id: string;
  readonly action: string;
  readonly record_id: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly request_id: string;
}

interface DomainRow {
  readonly id: string;
  readonly version: number;
  readonly serial: number;
  readonly name: string;
  readonly email: string;
  readonly ttl: number;
  readonly description: string | null;
  readonly generation: string | null;
  readonly apex_ns: string | null;
  readonly soa_ttl: number | null;
}

/** Checks that numbers have no gaps, serials only grow, and the last step matches the stored state. */
function faultsOfJournals(stored: Stored, isHistoryCut: boolean): Fault[] {
  const faults: Fault[] = [];
  const domains = new Map(stored.rows<DomainRow>('SELECT * FROM zones').map((row) => [row.id, row]));
  const told = stored.rows<{ zone_id: string }>(`SELECT DISTINCT zone_id FROM journal WHERE ${HAS_COME}`);
  for (const { zone_id: id } of told) {
    const story = stored.rows<JournalRow>('SELECT * FROM journal WHERE zone_id = ? ORDER BY number', id);
    faults.push(
      ...faultsOfOrder(story, isHistoryCut),
      ...faultsOfEnd(story, domains.get(id)),
      ...faultsOfReplay(stored, story, domains.get(id)),
    );
    domains.delete(id);
  }
  if (!isHistoryCut) for (const row of domains.values()) faults.push({ rule: 'every domain has a journal', row });
  return faults;
}

function faultsOfOrder(story: readonly JournalRow[], isHistoryCut: boolean): Fault[] {
  const first = isHistoryCut ? story[0]!.number : 1;
  const isSecondary = story.some(({ before, after }) => (before ?? after ?? '').includes('"masters":'));
  return story.flatMap((row, at) => {
    const previous = story[at - 1];
    const faults: Fault[] = [];
    if (row.number !== first + at) faults.push({ rule: 'journal numbers have no gap', row });
    if ((row.action === 'zone.create') !== (row.number === 1))
      faults.push({ rule: 'a story begins with zone.create', row });
    // Its serial is that of its masters.
    if (isSecondary) return faults;
    // Behaviour 7.7: labels alone keep the serial.
    if (row.serial === previous?.serial && isOfLabels(row)) return faults;
    if (previous !== undefined && (row.change_id === previous.change_id) !== (row.serial === previous.serial))
      faults.push({
        rule: 'all steps of one change, and no others, share its id and its serial',
        row: [previous, row],
      });
    if (previous !== undefined && !isSameChange(row, previous) && !isAhead(row.serial, previous.serial))
      faults.push({ rule: 'serials only grow', row: [previous, row] });
    return faults;
  });
}

function faultsOfEnd(story: readonly JournalRow[], domain: DomainRow | undefined): Fault[] {
  const last = story.at(-1)!;
  if (domain === undefined)
    return last.action === 'zone.delete' ? [] : [{ rule: 'a story without a domain ends in zone.delete', row: last }];
  if (domain.version === last.number && domain.serial === last.serial) return [];
  return [{ rule: "a domain's version and serial are those of its last journal row", row: [domain, last] }];
}

function isOfLabels(row: JournalRow): boolean {
  const { before, after } = readStep(row) as Step<ZoneSnapshot>;
  if (row.action !== 'zone.update' || before === null || after === null) return false;
  const { labels: _l, recordSet: _r, updatedAt: _u, ...former } = before;
  const { labels: _m, recordSet: _s, updatedAt: _v, ...latter } = after;
  return JSON.stringify(former) === JSON.stringify(latter);
}

function isSameChange(row: JournalRow, previous: JournalRow): boolean {
  return row.change_id === previous.change_id;
}

/** RFC 1982 §3.2. */
function isAhead(serial: number, earlier: number): boolean {
  const lead = (serial - earlier + 2 ** 32) % 2 ** 32;
  return lead > 0 && lead < 2 ** 31;
}

type Shown = Pick<
  RecordSnapshot,
  'id' | 'name' | 'type' | 'data' | 'priority' | 'ttl' | 'description' | 'rdata' | 'expiresAt'
>;

const RECORDS = `SELECT records.*, expires_at AS "expiresAt" FROM records WHERE zone_id = ? AND ${IS_STORED}`;

type ShownZone = Pick<ZoneSnapshot, 'id' | 'name' | 'email' | 'ttl' | 'description' | 'generation'>;

/** Replaying the journal from its beginning must give the zone, its records, and their served ttls. */
function faultsOfReplay(stored: Stored, story: readonly JournalRow[], domain: DomainRow | undefined): Fault[] {
  const faults: Fault[] = [];
  const replayed = new Map<string, Shown>();
  let zone: ShownZone | null = null;
  if (story[0]!.number > 1) zone = beginningOf(stored, story, domain, replayed);
  for (const row of story) {
    const { before, after } = readStep(row);
    if (!row.action.startsWith('record.')) {
      zone = after as ZoneSnapshot | null;
      if (zone === null) replayed.clear();
      continue;
    }
    const [was, is] = [before, after] as (RecordSnapshot | null)[];
    const id = row.record_id!;
    if ((is ?? was)!.id !== id) faults.push({ rule: 'record_id names the record', row });
    if (shownText(replayed.get(id)) !== shownText(was))
      faults.push({ rule: 'a journal row begins where the one before it ended', row });
    if (is) replayed.set(id, is);
    else replayed.delete(id);
  }
  return [...faults, ...faultsOfZone(zone, domain), ...faultsOfContents(stored, story[0]!.zone_id, replayed, zone)];
}

/**
 * The state before the first retained step: old values of the steps, and stored values where no step changed them.
 * Returns the zone and puts its records into `records`.
 */
function beginningOf(
  { rows }: Stored,
  story: readonly JournalRow[],
  domain: DomainRow | undefined,
  records: Map<string, Shown>,
): ShownZone | null {
  for (const record of rows<Shown>(RECORDS, story[0]!.zone_id)) records.set(record.id, record);
  let zone = domain === undefined ? null : shownZone(domain);
  for (const row of story.toReversed()) {
    const { before } = readStep(row);
    if (row.record_id === null) zone = before as ZoneSnapshot | null;
    else if (before === null) records.delete(row.record_id);
    else records.set(row.record_id, before as RecordSnapshot);
  }
  return zone;
}

function shownZone(domain: DomainRow): ShownZone {
  const generation = JSON.parse(domain.generation ?? 'null') as ZoneSnapshot['generation'];
  const apexNs = domain.apex_ns === null ? {} : { apexNs: JSON.parse(domain.apex_ns) as ApexNs };
  const soaTtl = domain.soa_ttl === null ? {} : { soaTtl: domain.soa_ttl };
  return { ...domain, generation: generation && { ...generation, ...apexNs, ...soaTtl } };
}

function faultsOfZone(replayed: ShownZone | null, domain: DomainRow | undefined): Fault[] {
  const shown = domain === undefined ? null : shownZone(domain);
  const textOf = (zone: ShownZone) =>
    JSON.stringify([zone.id, zone.name, zone.email, zone.ttl, zone.description, zone.generation]);
  if ((shown === null ? null : textOf(shown)) === (replayed === null ? null : textOf(replayed))) return [];
  return [{ rule: 'the journal ends in the zone', row: { shown, replayed } }];
}

function faultsOfContents(
  { rows }: Stored,
  zoneId: string,
  replayed: ReadonlyMap<string, Shown>,
  zone: ShownZone | null,
): Fault[] {
  const stored = rows<Shown>(RECORDS, zoneId);
  const others = stored.filter((record) => shownText(replayed.get(record.id)) !== shownText(record));
  const served = rows<{ name: string; type: string; ttl: number }>(
    'SELECT s.name, s.type, COALESCE(s.ttl, z.ttl) AS ttl FROM record_sets s JOIN zones z ON z.id = s.zone_id' +
      ' WHERE s.zone_id = ? AND s.record_count > 0',
    zoneId,
  );
  const ttls = new Map(served.map(({ name, type, ttl }) => [`${name.toLowerCase()} ${type}`, ttl]));
  const replayedTtls = ttlsOf([...replayed.values()], zone);
  const isSame = ttls.size === replayedTtls.size && [...ttls].every(([set, ttl]) => replayedTtls.get(set) === ttl);
  if (stored.length === replayed.size && others.length === 0 && isSame) return [];
  return [{ rule: 'the journal ends in the records', row: { stored: stored.length, replayed, others, ttls } }];
}

/** RFC 2181 §5.2: a record set is served with one ttl, the smallest that its records carry, else the zone's. */
function ttlsOf(records: readonly Shown[], zone: ShownZone | null): Map<string, number> {
  const sets = new Map<string, number[]>();
  for (const { name, type, ttl } of records) {
    const set = `${name.toLowerCase()} ${type}`;
    sets.set(set, [...(sets.get(set) ?? []), ...(ttl === null ? [] : [ttl])]);
  }
  return new Map([...sets].map(([set, ttls]) => [set, ttls.length > 0 ? Math.min(...ttls) : zone!.ttl]));
}

function shownText(record: Shown | null | undefined): string | null {
  if (record === null || record === undefined) return null;
  const { id, name, type, data, priority, ttl, description, rdata, expiresAt = null } = record;
  return JSON.stringify([id, name, type, data, priority, ttl, description, rdata, expiresAt]);
}

interface RecordRow extends Shown {
  readonly domain_name: string;
  readonly owner_key: string;
  readonly fingerprint: string;
}

const TYPES = knownRecordTypes();

/** Checks derived columns of a record against its text, and that its name lies inside its domain. */
function faultsOfRecords({ rows }: Stored): Fault[] {
  const faults: Fault[] = [];
  const all = rows<RecordRow>(
    'SELECT records.*, zones.name AS domain_name FROM records JOIN zones ON zones.id = zone_id',
  );
  for (const row of all) {
    const content = readRecordContent(TYPES, row);
    const isDerived =
      content.ownerKey === row.owner_key &&
      content.fingerprint === row.fingerprint &&
      Buffer.from(content.rdata).toString('hex') === row.rdata;
    if (!isDerived) faults.push({ rule: 'key, fingerprint and RDATA are those of the text', row });
    if (!DomainName.parse(row.name).isWithin(DomainName.parse(row.domain_name)))
      faults.push({ rule: 'a record lies inside its domain', row });
  }
  return faults;
}
