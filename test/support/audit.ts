import { expect } from '@jest/globals';
import { knownRecordTypes } from '../../src/app/record-types.js';
import { DomainName } from '../../src/dns/name.js';
import { readRecordContent } from '../../src/records/record-content.js';
import { lookInto, type Stored } from './stored.js';

/**
 * Holds a database, a file or a PostgreSQL URL, against everything that must be true of it whatever happened: counters
 * are counts, the journal tells the whole story, nothing derived differs from what it is derived from. It only reads,
 * so it may be called while the service runs.
 */
export function audit(database: string): void {
  const faults = lookInto(database, (stored) => [
    ...rulesOf(stored).flatMap(({ rule, offenders }) => stored.rows(offenders).map((row) => ({ rule, row }))),
    ...faultsOfJournals(stored),
    ...faultsOfRecords(stored),
  ]);
  expect(faults).toEqual([]);
}

/** Which records, domains and journal rows there are: two equal answers mean that nothing was stored in between. */
export function contentsOf(database: string): unknown {
  return lookInto(database, ({ rows }) => ({
    domains: rows('SELECT * FROM domains ORDER BY id'),
    tenants: rows('SELECT * FROM tenants WHERE domain_count <> 0 ORDER BY id'),
    recordsets: rows('SELECT * FROM recordsets ORDER BY domain_id, owner_key, type'),
    records: rows('SELECT * FROM records ORDER BY domain_id, id'),
    journal: rows('SELECT domain_id, number FROM journal ORDER BY domain_id, number'),
  }));
}

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

/** What one statement can find. */
function rulesOf({ isPostgres }: Stored): readonly Rule[] {
  return isPostgres ? RULES : [SOUND_FILE, ...RULES];
}

const RULES: readonly Rule[] = [
  {
    rule: 'record_count and recordset_count of a domain are counts',
    offenders: `
      SELECT * FROM (SELECT name, record_count, recordset_count,
        (SELECT COUNT(*) FROM records WHERE domain_id = domains.id) AS records,
        (SELECT COUNT(*) FROM (SELECT DISTINCT owner_key, type FROM records WHERE domain_id = domains.id) AS sets)
          AS recordsets FROM domains) AS counted
      WHERE record_count <> records OR recordset_count <> recordsets`,
  },
  {
    rule: 'the recordsets are the records, grouped',
    offenders: `
      WITH counted AS (SELECT domain_id, owner_key, type, COUNT(*), SUM(LENGTH(rdata)) / 2 FROM records GROUP BY 1, 2, 3)
      SELECT * FROM (SELECT * FROM recordsets EXCEPT SELECT * FROM counted) AS stored
      UNION ALL SELECT * FROM (SELECT * FROM counted EXCEPT SELECT * FROM recordsets) AS missing`,
  },
  {
    rule: 'domain_count of a tenant is a count',
    offenders: `
      SELECT owner.tenant_id, domain_count FROM
        (SELECT tenant_id FROM domains UNION SELECT id FROM tenants WHERE domain_count <> 0) AS owner
        LEFT JOIN tenants ON tenants.id = owner.tenant_id
      WHERE domain_count IS DISTINCT FROM (SELECT COUNT(*) FROM domains WHERE tenant_id = owner.tenant_id)`,
  },
  {
    rule: 'everything belongs to a domain',
    offenders: `
      SELECT domain_id, id FROM records WHERE domain_id NOT IN (SELECT id FROM domains)
      UNION ALL SELECT domain_id, owner_key FROM recordsets WHERE domain_id NOT IN (SELECT id FROM domains)`,
  },
  {
    rule: 'a CNAME stands alone and below the apex',
    offenders: `
      SELECT alias.domain_id, alias.owner_key FROM recordsets AS alias JOIN domains ON domains.id = alias.domain_id
      WHERE alias.type = 'CNAME' AND (alias.record_count > 1 OR alias.owner_key = domains.name_key OR EXISTS (
        SELECT * FROM recordsets WHERE domain_id = alias.domain_id AND owner_key = alias.owner_key AND type <> 'CNAME'))`,
  },
  {
    rule: 'a null MX stands alone',
    offenders: `
      SELECT domain_id, name FROM records JOIN recordsets USING (domain_id, owner_key, type)
      WHERE type = 'MX' AND rdata = '000000' AND record_count > 1`,
  },
  {
    rule: 'domains of two tenants do not contain each other',
    offenders: `
      SELECT parent.name, child.name AS child FROM domains AS parent JOIN domains AS child
      ON child.name_key >= parent.name_key || ' ' AND child.name_key < parent.name_key || '!'
      WHERE parent.tenant_id <> child.tenant_id`,
  },
  {
    rule: 'ids of records grow with the time of their creation',
    offenders: `
      SELECT domain_id, id, created_at FROM
        (SELECT *, LAG(created_at) OVER (PARTITION BY domain_id ORDER BY id) AS earlier FROM records) AS aged
      WHERE created_at <= earlier`,
  },
  {
    rule: 'times of a record and of its domain do not run backwards',
    offenders: `
      SELECT records.id, records.created_at, records.updated_at, changed_at FROM records
      JOIN domains ON domains.id = domain_id
      WHERE records.updated_at <= records.created_at OR changed_at < records.created_at
        OR changed_at < records.updated_at`,
  },
  {
    rule: 'the version of a record starts at 1 and updated_at comes with the second',
    offenders: 'SELECT id, version, updated_at FROM records WHERE version < 1 OR (version > 1) <> (updated_at NOTNULL)',
  },
];

interface JournalRow {
  readonly domain_id: string;
  readonly number: number;
  readonly serial: number;
  readonly action: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly request_id: string;
}

interface DomainRow {
  readonly id: string;
  readonly version: number;
  readonly serial: number;
}

/** Numbers without gap, serials that only grow, and a story that ends in what is stored. */
function faultsOfJournals(stored: Stored): Fault[] {
  const faults: Fault[] = [];
  const domains = new Map(stored.rows<DomainRow>('SELECT * FROM domains').map((row) => [row.id, row]));
  const told = stored.rows<{ domain_id: string }>('SELECT DISTINCT domain_id FROM journal');
  for (const { domain_id: id } of told) {
    const story = stored.rows<JournalRow>('SELECT * FROM journal WHERE domain_id = ? ORDER BY number', id);
    faults.push(...faultsOfOrder(story), ...faultsOfEnd(story, domains.get(id)), ...faultsOfReplay(stored, story));
    domains.delete(id);
  }
  for (const row of domains.values()) faults.push({ rule: 'every domain has a journal', row });
  return faults;
}

function faultsOfOrder(story: readonly JournalRow[]): Fault[] {
  return story.flatMap((row, at) => {
    const previous = story[at - 1];
    const faults: Fault[] = [];
    if (row.number !== at + 1) faults.push({ rule: 'journal numbers have no gap', row });
    if ((row.action === 'domain.create') !== (at === 0))
      faults.push({ rule: 'a story begins with domain.create', row });
    if (previous !== undefined && !isSameChange(row, previous) && !isAhead(row.serial, previous.serial))
      faults.push({ rule: 'serials only grow', row: [previous, row] });
    return faults;
  });
}

function faultsOfEnd(story: readonly JournalRow[], domain: DomainRow | undefined): Fault[] {
  const last = story.at(-1)!;
  if (domain === undefined)
    return last.action === 'domain.delete'
      ? []
      : [{ rule: 'a story without a domain ends in domain.delete', row: last }];
  if (domain.version === last.number && domain.serial === last.serial) return [];
  return [{ rule: "a domain's version and serial are those of its last journal row", row: [domain, last] }];
}

/** What one request changes together, an imported zone for instance, has one serial. */
function isSameChange(row: JournalRow, previous: JournalRow): boolean {
  return row.request_id === previous.request_id && row.serial === previous.serial;
}

/** RFC 1982 §3.2. */
function isAhead(serial: number, earlier: number): boolean {
  const lead = (serial - earlier + 2 ** 32) % 2 ** 32;
  return lead > 0 && lead < 2 ** 31;
}

interface Shown {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly data: string;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly description: string | null;
  readonly rdata: string;
}

/** Whoever applies the journal from its beginning has the records. */
function faultsOfReplay({ rows }: Stored, story: readonly JournalRow[]): Fault[] {
  const faults: Fault[] = [];
  const replayed = new Map<string, string>();
  for (const row of story) {
    if (row.action === 'domain.delete') replayed.clear();
    if (!row.action.startsWith('record.')) continue;
    const before = readShown(row.before);
    const after = readShown(row.after);
    const id = (before ?? after)!.id;
    if (replayed.get(id) !== (before === null ? undefined : shownText(before)))
      faults.push({ rule: 'a journal row begins where the one before it ended', row });
    if (after === null) replayed.delete(id);
    else replayed.set(id, shownText(after));
  }
  const stored = rows<Shown>('SELECT * FROM records WHERE domain_id = ?', story[0]!.domain_id);
  const strangers = stored.filter((record) => replayed.get(record.id) !== shownText(record));
  if (stored.length !== replayed.size || strangers.length > 0)
    faults.push({
      rule: 'the journal ends in the records',
      row: { stored: stored.length, replayed: replayed.size, strangers },
    });
  return faults;
}

function readShown(json: string | null): Shown | null {
  return json === null ? null : (JSON.parse(json) as Shown);
}

function shownText({ id, name, type, data, priority, ttl, description, rdata }: Shown): string {
  return JSON.stringify([id, name, type, data, priority, ttl, description, rdata]);
}

interface RecordRow extends Shown {
  readonly domain_name: string;
  readonly owner_key: string;
  readonly fingerprint: string;
}

const TYPES = knownRecordTypes();

/** What is derived from a record's text is what reading the text gives, and its name lies inside its domain. */
function faultsOfRecords({ rows }: Stored): Fault[] {
  const faults: Fault[] = [];
  const all = rows<RecordRow>(
    'SELECT records.*, domains.name AS domain_name FROM records JOIN domains ON domains.id = domain_id',
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
