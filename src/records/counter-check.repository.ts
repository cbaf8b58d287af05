import { Injectable } from '@nestjs/common';
import { Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import { ZoneRepository } from '../zones/zone.repository.js';

/** A counter and what counting says; `null`: the row that should hold it is missing, or nothing is left to count. */
export interface CounterMismatch {
  readonly counter: 'recordsets' | 'domains.record_count' | 'domains.recordset_count' | 'tenants.domain_count';
  /** Ids, name keys and types, for the operator to find the place. */
  readonly place: string;
  readonly stored: number | null;
  readonly counted: number | null;
}

type Row = Omit<CounterMismatch, 'counter'>;

const COUNTED_SETS =
  'SELECT domain_id, owner_key, type, COUNT(*) AS record_count, SUM(LENGTH(rdata) / 2) AS octets' +
  ' FROM records GROUP BY domain_id, owner_key, type';
const RECORDSETS = new Statement<Row>(
  "SELECT COALESCE(s.domain_id, c.domain_id) || ' ' || COALESCE(s.owner_key, c.owner_key) || ' ' ||" +
    ' COALESCE(s.type, c.type) AS place, s.record_count AS stored, c.record_count AS counted' +
    ` FROM recordsets s FULL OUTER JOIN (${COUNTED_SETS}) c` +
    ' ON c.domain_id = s.domain_id AND c.owner_key = s.owner_key AND c.type = s.type' +
    ' WHERE s.record_count IS NULL OR c.record_count IS NULL' +
    ' OR s.record_count <> c.record_count OR s.octets <> c.octets',
);
const RECORD_COUNTS = mismatchesOf(
  'domains',
  'record_count',
  'SELECT COUNT(*) FROM records r WHERE r.domain_id = t.id',
);
const RECORDSET_COUNTS = mismatchesOf(
  'domains',
  'recordset_count',
  'SELECT COUNT(*) FROM (SELECT DISTINCT owner_key, type FROM records r WHERE r.domain_id = t.id) s',
);
const DOMAIN_COUNTS = mismatchesOf(
  'tenants',
  'domain_count',
  'SELECT COUNT(*) FROM domains d WHERE d.tenant_id = t.id',
);
const LOST_TENANTS = new Statement<Row>(
  'SELECT tenant_id AS place, NULL AS stored, COUNT(*) AS counted FROM domains' +
    ' WHERE tenant_id NOT IN (SELECT id FROM tenants) GROUP BY tenant_id',
);

const REPAIRS = [
  'DELETE FROM recordsets',
  `INSERT INTO recordsets (domain_id, owner_key, type, record_count, octets) ${COUNTED_SETS}`,
  'UPDATE domains SET record_count = (SELECT COUNT(*) FROM records r WHERE r.domain_id = domains.id),' +
    ' recordset_count = (SELECT COUNT(*) FROM recordsets s WHERE s.domain_id = domains.id)',
  'DELETE FROM tenants',
  'INSERT INTO tenants (id, domain_count) SELECT tenant_id, COUNT(*) FROM domains GROUP BY tenant_id',
].map((sql) => new Statement(sql));

/** PostgreSQL: every change begins with a lock on rows of `domains`, which this keeps waiting. */
const HOLD_CHANGES = new Statement('SELECT 1', 'LOCK TABLE domains IN EXCLUSIVE MODE');

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
      ...(await RECORDSETS.rows(tx, [])).map((row) => ({ counter: 'recordsets' as const, ...row })),
      ...(await RECORD_COUNTS.rows(tx, [])).map((row) => ({ counter: 'domains.record_count' as const, ...row })),
      ...(await RECORDSET_COUNTS.rows(tx, [])).map((row) => ({ counter: 'domains.recordset_count' as const, ...row })),
      ...(await DOMAIN_COUNTS.rows(tx, [])).map((row) => ({ counter: 'tenants.domain_count' as const, ...row })),
      ...(await LOST_TENANTS.rows(tx, [])).map((row) => ({ counter: 'tenants.domain_count' as const, ...row })),
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
