import { Injectable } from '@nestjs/common';
import { RANDOM_UUID } from '../database/random-uuid.js';
import { Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import { ZoneRepository } from '../zones/zone.repository.js';

/** A counter and what counting says; `null`: the row that should hold it is missing, or nothing is left to count. */
export interface CounterMismatch {
  readonly counter: 'record_sets' | 'zones.record_count' | 'zones.record_set_count' | 'tenants.zone_count';
  /** Ids, name keys and types, for the operator to find the place. */
  readonly place: string;
  readonly stored: number | null;
  readonly counted: number | null;
}

type Row = Omit<CounterMismatch, 'counter'>;

const COUNTED_SETS =
  'SELECT zone_id, owner_key, type, COUNT(*) AS record_count, SUM(LENGTH(rdata) / 2) AS octets, MIN(ttl) AS ttl, MIN(id) AS first_id' +
  ' FROM records GROUP BY zone_id, owner_key, type';
const RECORD_SETS = new Statement<Row>(
  "SELECT COALESCE(s.zone_id, c.zone_id) || ' ' || COALESCE(s.owner_key, c.owner_key) || ' ' ||" +
    ' COALESCE(s.type, c.type) AS place, s.record_count AS stored, c.record_count AS counted' +
    ` FROM record_sets s FULL OUTER JOIN (${COUNTED_SETS}) c` +
    ' ON c.zone_id = s.zone_id AND c.owner_key = s.owner_key AND c.type = s.type' +
    ' WHERE s.record_count IS NULL OR c.record_count IS NULL' +
    ' OR s.record_count <> c.record_count OR s.octets <> c.octets OR s.ttl IS DISTINCT FROM c.ttl',
);
const RECORD_COUNTS = mismatchesOf('zones', 'record_count', 'SELECT COUNT(*) FROM records r WHERE r.zone_id = t.id');
const RECORD_SET_COUNTS = mismatchesOf(
  'zones',
  'record_set_count',
  'SELECT COUNT(*) FROM (SELECT DISTINCT owner_key, type FROM records r WHERE r.zone_id = t.id) s',
);
const ZONE_COUNTS = mismatchesOf('tenants', 'zone_count', 'SELECT COUNT(*) FROM zones z WHERE z.tenant_id = t.id');
const LOST_TENANTS = new Statement<Row>(
  'SELECT tenant_id AS place, NULL AS stored, COUNT(*) AS counted FROM zones' +
    ' WHERE tenant_id NOT IN (SELECT id FROM tenants) GROUP BY tenant_id',
);

const OF_SET = 'r.zone_id = record_sets.zone_id AND r.owner_key = record_sets.owner_key AND r.type = record_sets.type';

/** Sets without a row get one like that of a set which has just come to be. */
const missingSets = (uuid: string): string =>
  'INSERT INTO record_sets (zone_id, owner_key, type, id, name, ttl, version, created_at, record_count, octets)' +
  ` SELECT c.zone_id, c.owner_key, c.type, ${uuid}, r.name, c.ttl, 1, r.created_at, c.record_count, c.octets` +
  ` FROM (${COUNTED_SETS}) c JOIN records r ON r.zone_id = c.zone_id AND r.id = c.first_id WHERE NOT EXISTS` +
  ' (SELECT 1 FROM record_sets s WHERE s.zone_id = c.zone_id AND s.owner_key = c.owner_key AND s.type = c.type)';

const REPAIRS = [
  new Statement(`DELETE FROM record_sets WHERE NOT EXISTS (SELECT 1 FROM records r WHERE ${OF_SET})`),
  new Statement(
    'UPDATE record_sets SET (record_count, octets, ttl) =' +
      ` (SELECT COUNT(*), SUM(LENGTH(r.rdata) / 2), MIN(r.ttl) FROM records r WHERE ${OF_SET})`,
  ),
  new Statement(missingSets(RANDOM_UUID.sqlite), missingSets(RANDOM_UUID.postgres)),
  new Statement(
    'UPDATE zones SET record_count = (SELECT COUNT(*) FROM records r WHERE r.zone_id = zones.id),' +
      ' record_set_count = (SELECT COUNT(*) FROM record_sets s WHERE s.zone_id = zones.id)',
  ),
  new Statement('DELETE FROM tenants'),
  new Statement('INSERT INTO tenants (id, zone_count) SELECT tenant_id, COUNT(*) FROM zones GROUP BY tenant_id'),
];

/** PostgreSQL: every change begins with a lock on rows of `zones`, which this keeps waiting. */
const HOLD_CHANGES = new Statement('SELECT 1', 'LOCK TABLE zones IN EXCLUSIVE MODE');

/** Compares every counter with what it counts. Reads whole tables: for an operator's command, not for a request. */
@Injectable()
export class CounterCheckRepository {
  constructor(private readonly zones: ZoneRepository) {}

  /** Lets no change happen until the transaction ends; reads go on. */
  async holdChanges(tx: Transaction): Promise<void> {
    await this.zones.lockTree(tx);
    await HOLD_CHANGES.run(tx, []);
  }

  async findMismatches(tx: Transaction): Promise<CounterMismatch[]> {
    return [
      ...(await RECORD_SETS.rows(tx, [])).map((row) => ({ counter: 'record_sets' as const, ...row })),
      ...(await RECORD_COUNTS.rows(tx, [])).map((row) => ({ counter: 'zones.record_count' as const, ...row })),
      ...(await RECORD_SET_COUNTS.rows(tx, [])).map((row) => ({ counter: 'zones.record_set_count' as const, ...row })),
      ...(await ZONE_COUNTS.rows(tx, [])).map((row) => ({ counter: 'tenants.zone_count' as const, ...row })),
      ...(await LOST_TENANTS.rows(tx, [])).map((row) => ({ counter: 'tenants.zone_count' as const, ...row })),
    ];
  }

  /** Sets every counter to what counting says. */
  async repair(tx: Transaction): Promise<void> {
    for (const repair of REPAIRS) await repair.run(tx, []);
  }
}

function mismatchesOf(table: string, column: string, count: string): Statement<Row> {
  return new Statement(
    'SELECT place, stored, counted FROM' +
      ` (SELECT t.id AS place, t.${column} AS stored, (${count}) AS counted FROM ${table} t) c WHERE stored <> counted`,
  );
}
