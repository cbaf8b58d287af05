import { DataSource } from 'typeorm';
import { formatInstant } from '../../src/common/clock.js';
import { timeOrderedUuid } from '../../src/common/uuid.js';
import { CreateTables1763600000000 } from '../../src/database/migrations/1763600000000-create-tables.js';
import { CreateQuotas1763610000000 } from '../../src/database/migrations/1763610000000-create-quotas.js';
import { DomainName } from '../../src/dns/name.js';
import { writerOptionsOf } from './data-source.js';
import { seededAddress } from './seed.js';
import { storeRows } from './store-rows.js';

/** The domain of a database that version 0.1 has left. */
export const FORMER_DOMAIN = { id: '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4', name: 'former.example.' };

const TENANT = 'tenant-a';
const START = 1_763_600_000_000_000;
const DOMAIN_TTL = 3600;

/** The tables of version 0.1, empty. */
export async function makeFirstSchema(database: string): Promise<void> {
  const migrations = [CreateTables1763600000000, CreateQuotas1763610000000];
  const dataSource = await new DataSource({ ...(await writerOptionsOf(database)), migrations }).initialize();
  await dataSource.runMigrations({ transaction: 'each' });
  await dataSource.destroy();
}

/**
 * One domain with `count` A records, two at each name `h0`, `h1`, …, the second with a ttl of its own, and a journal in
 * the format of version 0.1: each record was created by a change of its own, and the last one updated since.
 */
export function fillFirstSchema(database: string, count: number): void {
  const records = Array.from({ length: count }, (_, at) => recordOf(at));
  const last = records[count - 1]!;
  const before = snapshotOf({ ...last, version: 1, updated_at: null, description: null });
  const updated = { action: 'record.update', before, after: snapshotOf(last) };
  const journal = [
    entryOf(1, { action: 'domain.create', before: null, after: JSON.stringify(shownDomain()) }),
    ...records.map((record, at) =>
      entryOf(at + 2, { action: 'record.create', before: null, after: at === count - 1 ? before : snapshotOf(record) }),
    ),
    entryOf(count + 2, updated),
  ];
  const rows = { domains: [domainOf(count)], records, recordsets: recordsetsOf(records), journal };
  storeRows(database, rows, `INSERT INTO tenants (id, domain_count) VALUES ('${TENANT}', 1)`);
}

type FormerRecord = Omit<ReturnType<typeof newRecord>, 'description'> & {
  readonly description: string | null;
  readonly version: number;
  readonly updated_at: number | null;
};

function recordOf(at: number): FormerRecord {
  return { ...newRecord(at), version: 2, updated_at: START + 900_000_000 };
}

function newRecord(at: number) {
  const name = `h${Math.floor(at / 2)}.${FORMER_DOMAIN.name}`;
  const data = seededAddress(at);
  const rdata = Buffer.from(data.split('.').map(Number)).toString('hex');
  return {
    domain_id: FORMER_DOMAIN.id,
    id: timeOrderedUuid(START + at),
    name,
    owner_key: DomainName.parse(name).key,
    type: 'A',
    data,
    priority: null,
    ttl: at % 2 === 1 ? 60 : null,
    description: 'as it was',
    rdata,
    fingerprint: rdata,
    created_at: START + at,
  };
}

function recordsetsOf(records: readonly FormerRecord[]) {
  const owners = new Map<string, number>();
  for (const { owner_key } of records) owners.set(owner_key, (owners.get(owner_key) ?? 0) + 1);
  return [...owners].map(([owner_key, record_count]) => ({
    domain_id: FORMER_DOMAIN.id,
    owner_key,
    type: 'A',
    record_count,
    octets: 4 * record_count,
  }));
}

function domainOf(count: number) {
  const { created_at: _, updated_at: __, ...shown } = shownDomain();
  return {
    ...shown,
    tenant_id: TENANT,
    name_key: DomainName.parse(FORMER_DOMAIN.name).key,
    serial: serialOf(count + 2),
    version: count + 2,
    record_count: count,
    recordset_count: Math.ceil(count / 2),
    changed_at: START + 900_000_000,
    created_at: START,
    updated_at: null,
  };
}

function shownDomain() {
  const times = { created_at: formatInstant(START), updated_at: null };
  return {
    ...FORMER_DOMAIN,
    email: 'h@example.org',
    ttl: DOMAIN_TTL,
    serial: serialOf(1),
    description: null,
    ...times,
  };
}

function snapshotOf(record: FormerRecord): string {
  const { id, name, type, ttl, data, domain_id, priority, description, version, rdata } = record;
  const created_at = formatInstant(record.created_at);
  const updated_at = record.updated_at === null ? null : formatInstant(record.updated_at);
  const shown = { id, name, type, created_at, updated_at, ttl, data, domain_id, priority, description };
  return JSON.stringify({ ...shown, version, rdata });
}

function entryOf(number: number, step: { action: string; before: string | null; after: string | null }) {
  const asked = { tenant_id: TENANT, request_id: `req-${number}`, at: START + number };
  return { domain_id: FORMER_DOMAIN.id, number, serial: serialOf(number), ...step, ...asked };
}

function serialOf(number: number): number {
  return START / 1_000_000 + number;
}
