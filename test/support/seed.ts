import { timeOrderedUuid } from '../../src/common/uuid.js';
import { knownRecordTypes } from '../../src/app/composition/record-types.js';
import { readRecordContent } from '../../src/records/record-content.js';
import { writeStep } from '../../src/zones/journal/journal-format.js';
import { lookInto } from './stored.js';
import { type Row, storeRows } from './store-rows.js';

interface DomainRow {
  readonly id: string;
  readonly name: string;
  readonly tenant_id: string;
  readonly serial: number;
  readonly version: number;
  readonly changed_at: number;
}

const TYPES = knownRecordTypes();

/**
 * Puts `count` A records `h0`, `h1`, … into an empty domain in one transaction, as `count` creates would have left
 * them, journal included. Returns their ids in the order of creation. For tests that need more than requests can make.
 * @param text of each, which is a TXT record then: much of it takes few records
 */
export function seedRecords(database: string, zoneId: string, count: number, text: string | null = null): string[] {
  const [domain] = lookInto(database, ({ rows }) => rows<DomainRow>('SELECT * FROM zones WHERE id = ?', zoneId));
  const seeds = seedsOf(domain!, count, text);
  const { records, record_sets, journal, close } = seeds;
  storeRows(database, { records, record_sets, journal }, close);
  return seeds.records.map(({ id }) => id);
}

/** The rows of three tables, and the statement that closes the change. */
interface Seeds {
  readonly records: readonly (Row & { readonly id: string })[];
  readonly record_sets: readonly Row[];
  readonly journal: readonly Row[];
  readonly close: string;
}

function seedsOf(domain: DomainRow, count: number, text: string | null): Seeds {
  const start = Math.max(Date.now() * 1000, domain.changed_at + 1);
  const seeds = Array.from({ length: count }, (_, at) => seedOf(domain, at, start + at, text));
  return {
    records: seeds.map(({ record }) => record),
    record_sets: seeds.map(({ recordSet }) => recordSet),
    journal: seeds.map(({ entry }) => entry),
    close:
      `UPDATE zones SET serial = serial + ${count}, version = version + ${count}, record_count = ${count},` +
      ` record_set_count = ${count}, changed_at = ${start + count - 1} WHERE id = '${domain.id}'`,
  };
}

function seedOf(domain: DomainRow, at: number, instant: number, text: string | null) {
  const id = timeOrderedUuid(instant);
  const name = `h${String(at)}.${domain.name}`;
  const [type, data] = text === null ? ['A', seededAddress(at)] : ['TXT', text];
  const { ownerKey, rdata, fingerprint } = readRecordContent(TYPES, { name, type, data });
  const hex = Buffer.from(rdata).toString('hex');
  const place = { zone_id: domain.id, owner_key: ownerKey, type };
  const kept = { id, name, type, data, priority: null, ttl: null, description: null, rdata: hex };
  const after = { ...kept, version: 1, createdAt: instant, updatedAt: null };
  return {
    record: { ...place, id, name, data, rdata: hex, fingerprint, version: 1, created_at: instant },
    recordSet: {
      ...place,
      id: timeOrderedUuid(instant),
      name,
      version: 1,
      created_at: instant,
      record_count: 1,
      octets: rdata.length,
    },
    entry: {
      zone_id: domain.id,
      number: domain.version + at + 1,
      serial: domain.serial + at + 1,
      change_id: timeOrderedUuid(instant),
      action: 'record.create',
      record_id: id,
      ...writeStep({ before: null, after }),
      tenant_id: domain.tenant_id,
      request_id: 'req-seed',
      at: instant,
    },
  };
}

/** The data of the record `h<at>`. */
export function seededAddress(at: number): string {
  return `10.${String((at >> 16) & 255)}.${String((at >> 8) & 255)}.${String(at & 255)}`;
}
