import { Injectable } from '@nestjs/common';
import { RANDOM_UUID } from '../../database/statements/random-uuid.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { isStaged } from '../../zones/staged-imports/staged-import.repository.js';

/** A counter and what counting says; `null`: the row that should hold it is missing, or nothing is left to count. */
export interface CounterMismatch {
  readonly counter: 'record_sets' | 'zones.record_count' | 'zones.record_set_count' | 'tenants.zone_count';
  /** Ids, name keys and types, for the operator to find the place. */
  readonly key: string;
  readonly stored: number | null;
  readonly counted: number | null;
}

/** The key of a record set. */
export interface SetKey {
  readonly zoneId: string;
  readonly ownerKey: string;
  readonly type: string;
}

interface Counts {
  readonly stored: number | null;
  readonly counted: number | null;
}

export type SetMismatch = SetKey & Counts;

export interface ZoneMismatch {
  readonly zoneId: string;
  readonly records: Counts;
  readonly recordSets: Counts;
}

export type TenantMismatch = { readonly tenantId: string } & Counts;

/** The last set of the portion that begins behind a set. The records are asked: there may be sets without a row. */
const PORTION_END = new Statement<SetKey>(
  'SELECT zone_id AS "zoneId", owner_key AS "ownerKey", type FROM records WHERE (zone_id, owner_key, type) > (?, ?, ?)' +
    ' ORDER BY zone_id, owner_key, type, fingerprint LIMIT 1 OFFSET ?',
);

/** Both sides of the comparison are read by their keys, so that it costs the same wherever the portion lies. */
const WRONG_SETS = new Statement<SetMismatch>(wrongSets('INDEXED BY records_fingerprint'), wrongSets(''));

const WRONG_ZONES = new Statement<{
  readonly zoneId: string;
  readonly storedRecords: number;
  readonly countedRecords: number;
  readonly storedSets: number;
  readonly countedSets: number;
}>(
  'SELECT * FROM (SELECT id AS "zoneId", record_count AS "storedRecords", record_set_count AS "storedSets",' +
    ' (SELECT COUNT(*) FROM records r WHERE r.zone_id = z.id) AS "countedRecords",' +
    ' (SELECT COUNT(*) FROM (SELECT owner_key, type FROM records r WHERE r.zone_id = z.id' +
    ' UNION SELECT owner_key, type FROM record_sets k WHERE k.zone_id = z.id AND (record_count = 0 OR annotations IS NOT NULL)) s) AS "countedSets"' +
    ' FROM zones z WHERE id > ? AND id <= ?) c' +
    ' WHERE "storedRecords" <> "countedRecords" OR "storedSets" <> "countedSets" ORDER BY "zoneId"',
);
const ZONES_END = new Statement<{ id: string }>('SELECT id FROM zones WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?');

const WRONG_TENANTS = new Statement<TenantMismatch>(
  'SELECT tenant_id AS "tenantId", MAX(stored) AS stored, COALESCE(MAX(counted), 0) AS counted FROM' +
    ' (SELECT id AS tenant_id, zone_count AS stored, NULL AS counted FROM tenants' +
    ' UNION ALL SELECT tenant_id, NULL, COUNT(*) FROM zones GROUP BY tenant_id) c' +
    ' GROUP BY tenant_id HAVING MAX(stored) IS DISTINCT FROM COALESCE(MAX(counted), 0)',
);

const HOLD_ZONE = new Statement('SELECT id FROM zones WHERE id = ?', 'SELECT id FROM zones WHERE id = ? FOR UPDATE');

const OF_SET = 'zone_id = ? AND owner_key = ? AND type = ?';
/** These three take the key of the set twice. */
const RECOUNT_SET = new Statement(
  'UPDATE record_sets SET (record_count, octets, ttl) =' +
    ` (SELECT COUNT(*), COALESCE(SUM(LENGTH(rdata) / 2), 0), MIN(ttl) FROM records WHERE ${OF_SET}) WHERE ${OF_SET}`,
);
const DELETE_EMPTY_SET = new Statement(
  `DELETE FROM record_sets WHERE ${OF_SET} AND annotations IS NULL AND NOT EXISTS (SELECT 1 FROM records WHERE ${OF_SET})`,
);
const INSERT_MISSING_SET = new Statement(missingSet(RANDOM_UUID.sqlite), missingSet(RANDOM_UUID.postgres));
const RECOUNT_ZONE = new Statement(
  'UPDATE zones SET record_count = (SELECT COUNT(*) FROM records r WHERE r.zone_id = zones.id),' +
    ' record_set_count = (SELECT COUNT(*) FROM record_sets s WHERE s.zone_id = zones.id) WHERE id = ?',
);
const RECOUNT_TENANT = new Statement(
  'UPDATE tenants SET zone_count = (SELECT COUNT(*) FROM zones z WHERE z.tenant_id = tenants.id) WHERE id = ?',
);

/** Records and zones that one statement compares: a few tens of milliseconds. */
const RECORDS_AT_ONCE = 5000;
const ZONES_AT_ONCE = 100;
/** Before and behind every key. */
const START: SetKey = { zoneId: '', ownerKey: '', type: '' };
const END: SetKey = { zoneId: '~', ownerKey: '', type: '' };

/**
 * Compares every counter with what it counts, and counts again. Each comparison is one statement and thus sees one
 * moment of the database; between two of them others change what they like. For an operator's command, not for a
 * request: all tables are gone through.
 */
@Injectable()
export class CounterCheckRepository {
  constructor(private readonly reads: Reads) {}

  async *wrongSets(): AsyncGenerator<SetMismatch[]> {
    for (let from = START; from !== END;) {
      const to = await this.reads.run((tx) => PORTION_END.first(tx, [...keyOf(from), RECORDS_AT_ONCE - 1]));
      const range = [...keyOf(from), ...keyOf(to ?? END)];
      yield await this.reads.run((tx) => WRONG_SETS.rows(tx, [...range, ...range]));
      from = to ?? END;
    }
  }

  async *wrongZones(): AsyncGenerator<ZoneMismatch[]> {
    for (let from = ''; from !== END.zoneId;) {
      const { id: to } = (await this.reads.run((tx) => ZONES_END.first(tx, [from, ZONES_AT_ONCE - 1]))) ?? {
        id: END.zoneId,
      };
      const wrong = await this.reads.run((tx) => WRONG_ZONES.rows(tx, [from, to]));
      yield wrong.map(({ zoneId, storedRecords, countedRecords, storedSets, countedSets }) => ({
        zoneId,
        records: { stored: storedRecords, counted: countedRecords },
        recordSets: { stored: storedSets, counted: countedSets },
      }));
      from = to;
    }
  }

  wrongTenants(): Promise<TenantMismatch[]> {
    return this.reads.run((tx) => WRONG_TENANTS.rows(tx, []));
  }

  /** Lets nobody change the zone, if it is there, until the transaction ends. */
  async holdZone(tx: Transaction, zoneId: string): Promise<void> {
    await HOLD_ZONE.run(tx, [zoneId]);
  }

  /** A set without a row gets one like that of a set which has just come to be. */
  async recountSet(tx: Transaction, set: SetKey): Promise<void> {
    const key = keyOf(set);
    await DELETE_EMPTY_SET.run(tx, [...key, ...key]);
    await RECOUNT_SET.run(tx, [...key, ...key]);
    await INSERT_MISSING_SET.run(tx, [...key, ...key]);
  }

  async recountZone(tx: Transaction, zoneId: string): Promise<void> {
    await RECOUNT_ZONE.run(tx, [zoneId]);
  }

  /** The tenant's row is there and held. */
  async recountTenant(tx: Transaction, tenantId: string): Promise<void> {
    await RECOUNT_TENANT.run(tx, [tenantId]);
  }
}

function keyOf({ zoneId, ownerKey, type }: SetKey): [string, string, string] {
  return [zoneId, ownerKey, type];
}

/** Takes the ends of the portion twice; the first is not in it. */
function wrongSets(index: string): string {
  const inPortion = '(zone_id, owner_key, type) > (?, ?, ?) AND (zone_id, owner_key, type) <= (?, ?, ?)';
  return (
    'SELECT zone_id AS "zoneId", owner_key AS "ownerKey", type, MAX(stored) AS stored, MAX(counted) AS counted FROM' +
    ' (SELECT zone_id, owner_key, type, record_count AS stored, NULL AS counted, octets AS stored_octets,' +
    ` NULL AS counted_octets, ttl AS stored_ttl, NULL AS counted_ttl FROM record_sets WHERE ${inPortion}` +
    ' UNION ALL SELECT zone_id, owner_key, type, NULL, COUNT(*), NULL, SUM(LENGTH(rdata) / 2), NULL, MIN(ttl)' +
    ` FROM records ${index} WHERE ${inPortion} GROUP BY zone_id, owner_key, type) c GROUP BY zone_id, owner_key, type` +
    // A set may be kept without records, and has a ttl of its own then.
    ` HAVING NOT ${isStaged('c.zone_id')} AND (MAX(stored) IS DISTINCT FROM COALESCE(MAX(counted), 0)` +
    ' OR MAX(stored_octets) IS DISTINCT FROM COALESCE(MAX(counted_octets), 0)' +
    ' OR (MAX(counted) > 0 AND MAX(stored_ttl) IS DISTINCT FROM MAX(counted_ttl)))' +
    ' ORDER BY zone_id, owner_key, type'
  );
}

function missingSet(uuid: string): string {
  return (
    'INSERT INTO record_sets (zone_id, owner_key, type, id, name, ttl, version, created_at, record_count, octets)' +
    ` SELECT c.zone_id, c.owner_key, c.type, ${uuid}, r.name, c.ttl, 1, r.created_at, c.record_count, c.octets FROM` +
    ' (SELECT zone_id, owner_key, type, COUNT(*) AS record_count, SUM(LENGTH(rdata) / 2) AS octets, MIN(ttl) AS ttl,' +
    ` MIN(id) AS first_id FROM records WHERE ${OF_SET} GROUP BY zone_id, owner_key, type) c` +
    ' JOIN records r ON r.zone_id = c.zone_id AND r.id = c.first_id' +
    ` WHERE NOT EXISTS (SELECT 1 FROM record_sets WHERE ${OF_SET})`
  );
}
