import { Injectable } from '@nestjs/common';
import { contentsOf, zoneOf } from '../../database/statements/contents-id.js';
import { RANDOM_UUID } from '../../database/statements/walk.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { isLeft } from '../../zones/left-contents.repository.js';
import { isStaged } from '../../zones/staged-imports/staged-import.repository.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ZoneRepository } from '../../zones/zone.repository.js';

/** A counter and the counted value; `null`: row missing, or nothing to count. */
export interface CounterMismatch {
  readonly counter: 'record_sets' | 'zones.record_count' | 'zones.record_set_count' | 'tenants.zone_count';
  readonly key: string;
  readonly stored: number | null;
  readonly counted: number | null;
}

export interface SetKey {
  /** The id of the contents of the zone (`contentsOf`). */
  readonly zoneId: string;
  readonly ownerKey: string;
  readonly type: string;
}

interface Counts {
  readonly stored: number | null;
  readonly counted: number | null;
}

type SetMismatch = SetKey & Counts & { readonly ofZone: string };

interface ZoneMismatch {
  readonly zoneId: string;
  readonly records: Counts;
  readonly recordSets: Counts;
}

type TenantMismatch = { readonly tenantId: string } & Counts;

/** Last set of the portion after a set. Reads records, because sets may lack a row. */
const PORTION_END = new Statement<SetKey>(
  'SELECT zone_id AS "zoneId", owner_key AS "ownerKey", type FROM records WHERE (zone_id, owner_key, type) > (?, ?, ?)' +
    ' ORDER BY zone_id, owner_key, type, fingerprint LIMIT 1 OFFSET ?',
);

/** Both sides of the comparison use the key, so each portion costs the same. */
const WRONG_SETS = new Statement<SetMismatch>(wrongSets('INDEXED BY records_fingerprint'), wrongSets(''));

const WRONG_ZONES = new Statement<{
  readonly zoneId: string;
  readonly storedRecords: number;
  readonly countedRecords: number;
  readonly storedSets: number;
  readonly countedSets: number;
}>(
  'SELECT * FROM (SELECT id AS "zoneId", record_count AS "storedRecords", record_set_count AS "storedSets",' +
    ` (SELECT COUNT(*) FROM records r WHERE r.zone_id = ${contentsOf('z.id')}) AS "countedRecords",` +
    ` (SELECT COUNT(*) FROM (SELECT owner_key, type FROM records r WHERE r.zone_id = ${contentsOf('z.id')}` +
    ` UNION SELECT owner_key, type FROM record_sets k WHERE k.zone_id = ${contentsOf('z.id')} AND (record_count = 0 OR annotations IS NOT NULL)) s) AS "countedSets"` +
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
/** These three take the set key twice. */
const RECOUNT_SET = new Statement(
  'UPDATE record_sets SET (record_count, octets, ttl) =' +
    ` (SELECT COUNT(*), COALESCE(SUM(LENGTH(rdata) / 2), 0), MIN(ttl) FROM records WHERE ${OF_SET}) WHERE ${OF_SET}`,
);
const DELETE_EMPTY_SET = new Statement(
  `DELETE FROM record_sets WHERE ${OF_SET} AND annotations IS NULL AND NOT EXISTS (SELECT 1 FROM records WHERE ${OF_SET})`,
);
const INSERT_MISSING_SET = new Statement(missingSet(RANDOM_UUID.sqlite), missingSet(RANDOM_UUID.postgres));
const RECOUNT_ZONE = new Statement(
  `UPDATE zones SET record_count = (SELECT COUNT(*) FROM records r WHERE r.zone_id = ${contentsOf('zones.id')}),` +
    ` record_set_count = (SELECT COUNT(*) FROM record_sets s WHERE s.zone_id = ${contentsOf('zones.id')}) WHERE id = ?`,
);
const RECOUNT_TENANT = new Statement(
  'UPDATE tenants SET zone_count = (SELECT COUNT(*) FROM zones z WHERE z.tenant_id = tenants.id) WHERE id = ?',
);

/** Records and zones per statement, which takes some tens of milliseconds. */
const RECORDS_AT_ONCE = 5000;
const ZONES_AT_ONCE = 100;
/** Sort before and after every key. */
const START: SetKey = { zoneId: '', ownerKey: '', type: '' };
const END: SetKey = { zoneId: '~', ownerKey: '', type: '' };

/**
 * Compares each counter with its counted value, and recounts. Each comparison is one statement, so it sees one
 * snapshot; other changes continue between two statements.
 * It reads all tables, so only an operator command may call it.
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

  async holdZone(tx: Transaction, zoneId: string): Promise<void> {
    await HOLD_ZONE.run(tx, [zoneId]);
  }

  /** Creates a missing row as for a new set. */
  async recountSet(tx: Transaction, set: SetKey): Promise<void> {
    const key = keyOf(set);
    await DELETE_EMPTY_SET.run(tx, [...key, ...key]);
    await RECOUNT_SET.run(tx, [...key, ...key]);
    await INSERT_MISSING_SET.run(tx, [...key, ...key]);
  }

  async recountZone(tx: Transaction, zoneId: string): Promise<void> {
    await RECOUNT_ZONE.run(tx, [zoneId]);
  }

  /** Requires that the tenant row exists and is locked. */
  async recountTenant(tx: Transaction, tenantId: string): Promise<void> {
    await RECOUNT_TENANT.run(tx, [tenantId]);
  }
}

function keyOf({ zoneId, ownerKey, type }: SetKey): [string, string, string] {
  return [zoneId, ownerKey, type];
}

/** Takes the ends of the portion twice; excludes the first end. */
function wrongSets(index: string): string {
  const inPortion = '(zone_id, owner_key, type) > (?, ?, ?) AND (zone_id, owner_key, type) <= (?, ?, ?)';
  return (
    `SELECT c.zone_id AS "zoneId", ${zoneOf('c.zone_id')} AS "ofZone", owner_key AS "ownerKey", type, MAX(stored) AS stored, MAX(counted) AS counted FROM` +
    ' (SELECT zone_id, owner_key, type, record_count AS stored, NULL AS counted, octets AS stored_octets,' +
    ` NULL AS counted_octets, ttl AS stored_ttl, NULL AS counted_ttl FROM record_sets WHERE ${inPortion}` +
    ' UNION ALL SELECT zone_id, owner_key, type, NULL, COUNT(*), NULL, SUM(LENGTH(rdata) / 2), NULL, MIN(ttl)' +
    ` FROM records ${index} WHERE ${inPortion} GROUP BY zone_id, owner_key, type) c GROUP BY zone_id, owner_key, type` +
    // An empty set may be kept, and has its own ttl then.
    ` HAVING NOT ${isStaged('c.zone_id')} AND NOT ${isLeft('c.zone_id')} AND (MAX(stored) IS DISTINCT FROM COALESCE(MAX(counted), 0)` +
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

/** Sets recounted per transaction. Other changes of the zone wait meanwhile. */
const SETS_AT_ONCE = 200;

/**
 * Checks the counters that quotas and placement rely on (`zonewright check`). It reads portions and holds no lock
 * between them, so the service keeps running.
 */
@Injectable()
export class CounterCheckService {
  constructor(
    private readonly counters: CounterCheckRepository,
    private readonly zones: ZoneRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** With `isRepairing`, recounts wrong counters under the lock of their zone or tenant. */
  async *check(isRepairing: boolean): AsyncGenerator<CounterMismatch> {
    for await (const sets of this.counters.wrongSets()) {
      if (isRepairing) await this.recountSets(sets);
      yield* sets.map(ofSet);
    }
    // Zone counters count sets, so they come after the sets.
    for await (const zones of this.counters.wrongZones()) {
      if (isRepairing) for (const zone of zones) await this.recountZone(zone);
      yield* zones.flatMap(ofZone);
    }
    const tenants = await this.counters.wrongTenants();
    if (isRepairing) for (const tenant of tenants) await this.recountTenant(tenant);
    yield* tenants.map(ofTenant);
  }

  private async recountSets(sets: readonly SetMismatch[]): Promise<void> {
    for (const { zoneId, chunk } of chunksOf(sets))
      await this.holdingZone(chunk[0]?.ofZone ?? zoneId, async (tx) => {
        for (const set of chunk) await this.counters.recountSet(tx, set);
      });
  }

  private async recountZone({ zoneId }: ZoneMismatch): Promise<void> {
    await this.holdingZone(zoneId, (tx) => this.counters.recountZone(tx, zoneId));
  }

  private async recountTenant({ tenantId }: TenantMismatch): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      // Creates a missing row, and locks it.
      await this.zones.countForTenant(tx, tenantId, 0);
      await this.counters.recountTenant(tx, tenantId);
    });
  }

  private async holdingZone(zoneId: string, work: (tx: Transaction) => Promise<void>): Promise<void> {
    await this.unitOfWork.run(
      async (tx) => {
        await this.counters.holdZone(tx, zoneId);
        await work(tx);
      },
      { zoneId },
    );
  }
}

function* chunksOf(sets: readonly SetMismatch[]): Generator<{ zoneId: string; chunk: SetMismatch[] }> {
  let chunk: SetMismatch[] = [];
  for (const [at, set] of sets.entries()) {
    chunk.push(set);
    if (chunk.length < SETS_AT_ONCE && sets[at + 1]?.zoneId === set.zoneId) continue;
    yield { zoneId: set.zoneId, chunk };
    chunk = [];
  }
}

function ofSet({ ofZone, ownerKey, type, stored, counted }: SetMismatch): CounterMismatch {
  return { counter: 'record_sets', key: `${ofZone} ${ownerKey} ${type}`, stored, counted };
}

function ofZone({ zoneId: key, records, recordSets }: ZoneMismatch): CounterMismatch[] {
  const all: CounterMismatch[] = [
    { counter: 'zones.record_count', key, ...records },
    { counter: 'zones.record_set_count', key, ...recordSets },
  ];
  return all.filter(({ stored, counted }) => stored !== counted);
}

function ofTenant({ tenantId: key, stored, counted }: TenantMismatch): CounterMismatch {
  return { counter: 'tenants.zone_count', key, stored, counted };
}
