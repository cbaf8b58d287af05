import { Injectable } from '@nestjs/common';
import { maySee, zonesOf } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Instant } from '../common/clock.js';
import type { Page } from '../common/collection-query.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import { type UniqueKey, violatesUniqueKey } from '../database/database-failure.js';
import { lockAcrossProcesses, waitBriefly } from '../database/locks.js';
import { Lookup } from '../database/statements/lookup.js';
import { Reads } from '../database/reads.js';
import { PageStatement } from '../database/statements/page-statement.js';
import { bulkInsert, bulkPatch, type Columns } from '../database/statements/bulk-write.js';
import { entityManagerOf, type Transaction } from '../database/transaction.js';
import { ManyStatement, Statement } from '../database/statements/statement.js';
import { primaryKeyOf } from '../database/statements/walk.js';
import { DomainName } from '../dns/name.js';
import { keysBelow, keysOnPath } from '../dns/name-key.js';
import { STORED_FIELDS, ZoneEntity } from './zone.entity.js';
import { SUMMARIES_OF_ALL, SUMMARIES_OF_TENANT, type SummaryPage } from './lists/zone-summaries.js';

export const ZONE_COLUMNS =
  'id, tenant_id AS "tenantId", name, name_key AS "nameKey", email, ttl, soa_ttl AS "soaTtl", description, serial, version,' +
  ' generation, record_count AS "recordCount", record_set_count AS "recordSetCount", changed_at AS "changedAt",' +
  ' created_at AS "createdAt", updated_at AS "updatedAt", type, masters, attributes, labels,' +
  ' transferred_at AS "transferredAt", apex_ns AS "apexNs", kept_fields AS "keptFields",' +
  ' published_version AS "publishedVersion", published_serial AS "publishedSerial"';

const BY_ID = `SELECT ${ZONE_COLUMNS} FROM zones WHERE id = ?`;
const FIND = new Statement<ZoneEntity>(BY_ID);
const FIND_EACH = new Lookup<ZoneEntity>(BY_ID, ['text']);
const FIND_OWNED = new Lookup<OwnedZone>(
  'SELECT id, tenant_id AS "tenantId", name_key AS "nameKey" FROM zones WHERE id = ?',
  ['text'],
);
const LOCK = new Statement<ZoneEntity>(BY_ID, `${BY_ID} FOR UPDATE`);
const FIND_BY_KEYS = new Lookup<ZoneEntity>(`SELECT ${ZONE_COLUMNS} FROM zones WHERE name_key = ?`, ['text']);
/** Keeps SQLite from sorting all rows because of outdated statistics. */
function page(index: string, conditions: string): PageStatement<ZoneEntity> {
  const sql = (hint: string): string => `SELECT ${ZONE_COLUMNS} FROM zones${hint} WHERE ${conditions}`;
  const texts = ['name', 'email', 'description'] as const;
  return new PageStatement<ZoneEntity>(sql(` INDEXED BY ${index}`), { key: 'id', texts, forPostgres: sql('') });
}

const PAGE_OF_TENANT = page('zones_of_tenant', 'tenant_id = ? AND id > ?');
const PAGE_OF_ALL = page(primaryKeyOf('zones'), 'id > ?');
const LATEST = new Statement<Pick<ZoneEntity, 'createdAt'>>(
  `SELECT created_at AS "createdAt" FROM zones WHERE id > '' ORDER BY id DESC LIMIT 1`,
);
/** Skips zones that other transactions hold. */
const LOCK_FREE = new Lookup<ZoneEntity>(BY_ID, ['text'], `${BY_ID} FOR UPDATE SKIP LOCKED`);
const CHANGED: Columns = {
  serial: 'bigint',
  version: 'bigint',
  record_count: 'integer',
  record_set_count: 'integer',
  changed_at: 'bigint',
};
/** Batched with the other writes of a change. */
const CLOSE_CHANGE = bulkPatch('zones', { id: 'text' }, CHANGED);
const FOLLOW_VERSION = [
  new Statement('UPDATE zones SET published_version = ? WHERE id = ? AND published_version = ?'),
  new Statement('UPDATE zone_signing SET signed_version = ? WHERE zone_id = ? AND signed_version = ?'),
];
const FIND_BELOW = new Statement<{ tenantId: string }>(
  'SELECT tenant_id AS "tenantId" FROM zones WHERE name_key >= ? AND name_key < ? LIMIT 1',
);
/** No two zones have the same creation time in microseconds. */
const STATE_BELOW = new Statement<object>(
  'SELECT COUNT(*) AS zones, SUM(created_at) AS instants FROM zones WHERE name_key >= ? AND name_key < ?',
);
const FIND_BELOW_OF_OTHERS = new Lookup<{ tenantId: string }>(
  'SELECT tenant_id AS "tenantId" FROM zones WHERE name_key >= ? AND name_key < ? AND tenant_id <> ? LIMIT 1',
  ['text', 'text', 'text'],
);
const ZONE_COUNT = 'SELECT id, zone_count AS "zoneCount" FROM tenants WHERE id = ?';
const ZONE_COUNTS = new Lookup<TenantCount>(ZONE_COUNT, ['text']);
/** Skips tenants that other transactions hold. */
const LOCK_FREE_ZONE_COUNTS = new Lookup<TenantCount>(ZONE_COUNT, ['text'], `${ZONE_COUNT} FOR UPDATE SKIP LOCKED`);
const LOCK_ZONE_COUNT = new Statement<TenantCount>(ZONE_COUNT, `${ZONE_COUNT} FOR UPDATE`);
const COUNT_DOMAIN = new Statement<{ zoneCount: number }>(
  'INSERT INTO tenants (id, zone_count) VALUES (?, ?)' +
    ' ON CONFLICT (id) DO UPDATE SET zone_count = tenants.zone_count + excluded.zone_count' +
    ' RETURNING zone_count AS "zoneCount"',
);

/** A secondary zone is served from its first transfer until it expires. */
export const IS_SERVED = "(type = 'PRIMARY' OR transferred_at IS NOT NULL)";
/** The later of two serials (RFC 1982 §3.2). `of` is a table prefix such as `z.`. */
export function servedSerialSql(of = ''): string {
  const lead = `(COALESCE(${of}published_serial, ${of}serial) - ${of}serial + 4294967296) % 4294967296`;
  return `CASE WHEN ${lead} BETWEEN 1 AND 2147483647 THEN ${of}published_serial ELSE ${of}serial END`;
}

const PUBLISH = new Statement('UPDATE zones SET published_version = ?, published_serial = ? WHERE id = ?');
const VERSIONS = new Lookup<ZoneVersion>(
  `SELECT id, name_key AS "nameKey", version, changed_at AS "changedAt", published_serial AS "publishedSerial", CASE WHEN ${IS_SERVED} THEN 1 ELSE 0 END AS "isServed" FROM zones WHERE name_key = ?`,
  ['text'],
);

const ROOT_KEY = '';
/** A network of 256 addresses has at most as many parts. */
const MOST_PARTS = 256;
const OF_TENANT_BELOW = new Statement<ZoneEntity>(
  `SELECT ${ZONE_COLUMNS} FROM zones WHERE name_key >= ? AND name_key < ? AND tenant_id = ?` +
    ` ORDER BY name_key LIMIT ${MOST_PARTS}`,
);
const FIND_SECONDARY = new Statement<SecondaryZone>(
  'SELECT id, masters, tenant_id AS "tenantId" FROM zones WHERE name_key = ? AND type = \'SECONDARY\'',
);

/** Batched with the other reads of a change. */
const FIND_AMONG = new Lookup<Pick<ZoneKey, 'nameKey' | 'tenantId'>>(
  'SELECT name_key AS "nameKey", tenant_id AS "tenantId" FROM zones WHERE name_key = ?',
  ['text'],
);
const byKeys = (marks: string): string =>
  `SELECT id, name, name_key AS "nameKey", tenant_id AS "tenantId" FROM zones WHERE name_key IN (${marks}) ORDER BY name_key`;
const LOCK_BY_KEYS = new ManyStatement<ZoneKey>(byKeys, (marks) => `${byKeys(marks)} FOR UPDATE`);
const LOCK_FREE_BY_KEYS = new ManyStatement<ZoneKey>(byKeys, (marks) => `${byKeys(marks)} FOR UPDATE SKIP LOCKED`);
// An object literal has only its own keys.
const FIELDS = Object.keys(STORED_FIELDS) as (keyof ZoneEntity)[];
const INSERT = bulkInsert('zones', Object.fromEntries(FIELDS.map((field) => STORED_FIELDS[field])));

const NAME_KEY: UniqueKey = { name: 'zones_name_key', table: 'zones', columns: ['name_key'] };

export interface PublishedVersion {
  readonly version: number;
  readonly serial: number;
}

interface TenantCount {
  readonly id: string;
  readonly zoneCount: number;
}

export type OwnedZone = Pick<ZoneEntity, 'id' | 'tenantId' | 'nameKey'>;

export type SecondaryZone = Pick<ZoneEntity, 'id' | 'masters' | 'tenantId'>;

export interface ZoneVersion extends Pick<ZoneEntity, 'id' | 'nameKey' | 'version' | 'changedAt' | 'publishedSerial'> {
  /** 1 or 0: the databases have no common boolean type. */
  readonly isServed: number;
}

export interface ZoneKey {
  readonly id: string;
  readonly name: string;
  readonly nameKey: string;
  readonly tenantId: string;
}

@Injectable()
export class ZoneRepository {
  constructor(private readonly reads: Reads) {}

  /** @throws ServiceError `zone_not_found`, also for a zone that the caller may not see */
  async find(id: string, caller: Caller): Promise<ZoneEntity> {
    return visible(await this.reads.lookUp(FIND_EACH, [id]), caller);
  }

  async findOwned(id: string, caller: Caller): Promise<OwnedZone> {
    return visible(await this.reads.lookUp(FIND_OWNED, [id]), caller);
  }

  /** `null` if the caller cannot see such a zone. */
  async findByKey(nameKey: string, caller: Caller): Promise<ZoneEntity | null> {
    const zone = await this.reads.lookUp(FIND_BY_KEYS, [nameKey]);
    return zone !== undefined && maySee(caller, zone) ? zone : null;
  }

  /** Reads any zone, without a visibility check. */
  findIn(tx: Transaction, id: string): Promise<ZoneEntity | undefined> {
    return FIND.first(tx, [id]);
  }

  /** Reads any zones, without a visibility check. */
  findAllIn(tx: Transaction, ids: readonly string[]): Promise<ZoneEntity[]> {
    const keys = ids.map((id) => [id]);
    return FIND_EACH.rows(tx, [], keys);
  }

  findAllNamedIn(tx: Transaction, names: readonly string[]): Promise<ZoneEntity[]> {
    return FIND_BY_KEYS.rows(tx, [], nameKeysOf(names));
  }

  private findAllKeyedIn(tx: Transaction, nameKeys: readonly string[]): Promise<ZoneEntity[]> {
    const keys = nameKeys.map((key) => [key]);
    return FIND_BY_KEYS.rows(tx, [], keys);
  }

  /** Finds the zone of any tenant that contains a name, among those of these names. */
  async closestOf(tx: Transaction, names: readonly DomainName[]): Promise<(name: DomainName) => ZoneEntity | null> {
    const keys = new Set(names.flatMap(({ key }) => keysOnPath(ROOT_KEY, key)));
    const zones = await this.findAllKeyedIn(tx, [...keys]);
    const byKey = new Map(zones.map((zone) => [zone.nameKey, zone]));
    return ({ key }) => {
      const above = keysOnPath(ROOT_KEY, key).findLast((one) => byKey.has(one));
      return above === undefined ? null : (byKey.get(above) ?? null);
    };
  }

  /** Up to 256 zones of the tenant below a name. */
  below(tx: Transaction, nameKey: string, tenantId: string): Promise<ZoneEntity[]> {
    return OF_TENANT_BELOW.rows(tx, [...keysBelow(nameKey), tenantId]);
  }

  /** The zone of any tenant with the longest of these names. */
  async lowestAmong(tx: Transaction, nameKeys: readonly string[]): Promise<ZoneEntity | null> {
    const found = await this.findAllKeyedIn(tx, nameKeys);
    const [lowest] = found.sort((one, other) => other.nameKey.length - one.nameKey.length);
    return lowest ?? null;
  }

  findSecondary(tx: Transaction, nameKey: string): Promise<SecondaryZone | undefined> {
    return FIND_SECONDARY.first(tx, [nameKey]);
  }

  page(caller: Caller, marker: string, limit: number): Promise<Page<ZoneEntity>> {
    const named = zonesOf(caller);
    if (named !== null) return this.pageOfNamed(named, caller, marker, limit);
    const { allTenants, tenantId } = caller;
    return this.readList((tx) =>
      allTenants ? PAGE_OF_ALL.page(tx, [marker], limit) : PAGE_OF_TENANT.page(tx, [tenantId, marker], limit),
    );
  }

  async summaries(caller: Caller, marker: string, limit: number): Promise<SummaryPage> {
    const named = zonesOf(caller);
    if (named !== null) {
      const { entries, isLast } = await this.pageOfNamed(named, caller, marker, limit);
      return { entries, next: isLast ? null : (entries.at(-1)?.id ?? null) };
    }
    const { allTenants, tenantId } = caller;
    return this.readList((tx) =>
      allTenants ? SUMMARIES_OF_ALL(tx, [marker], limit) : SUMMARIES_OF_TENANT(tx, [tenantId, marker], limit),
    );
  }

  private readList<T>(read: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.reads.offPrimary(() => this.reads.run(read));
  }

  /** The few zones that a token is restricted to. */
  private async pageOfNamed(
    names: readonly string[],
    caller: Caller,
    marker: string,
    limit: number,
  ): Promise<Page<ZoneEntity>> {
    const zones = await this.readList((tx) => this.findAllNamedIn(tx, names));
    const rest = zones.filter((zone) => maySee(caller, zone) && zone.id > marker).sort(byId);
    return { entries: rest.slice(0, limit), isLast: rest.length <= limit };
  }

  /** Creation time of the zone last in lists; 0 without zones. Exact under the namespace lock. */
  async latestCreation(tx: Transaction): Promise<Instant> {
    return (await LATEST.first(tx, []))?.createdAt ?? 0;
  }

  /** Locks the row on PostgreSQL, the file on SQLite. */
  async lock(tx: Transaction, id: string, caller: Caller): Promise<ZoneEntity> {
    return visible(await LOCK.first(tx, [id]), caller);
  }

  lockAny(tx: Transaction, id: string): Promise<ZoneEntity | undefined> {
    return LOCK.first(tx, [id]);
  }

  lockFree(tx: Transaction, ids: readonly string[]): Promise<ZoneEntity[]> {
    const keys = ids.map((id) => [id]);
    return LOCK_FREE.rows(tx, [], keys);
  }

  /** No process creates a zone until the transaction ends. Its later lock waits are short, and it is retried. */
  async lockNamespace(tx: Transaction): Promise<void> {
    await lockAcrossProcesses(tx, 'tree of zones');
    await waitBriefly(tx);
  }

  /** Fingerprint of the zones below a name: changes with each create and delete. */
  async stateBelow(tx: Transaction, nameKey: string): Promise<string> {
    const row = await STATE_BELOW.first(tx, keysBelow(nameKey));
    return JSON.stringify(row);
  }

  async closeChange(tx: Transaction, before: Readonly<ZoneEntity>, zone: Readonly<ZoneEntity>): Promise<void> {
    const { id, serial, version, recordCount, recordSetCount, changedAt } = zone;
    await CLOSE_CHANGE.run(tx, [[id, serial, version, recordCount, recordSetCount, changedAt]]);
    if (before.publishedVersion === null || version === before.version || serial !== before.serial) return;
    // Only labels have changed (behaviour 7.7): the signed zone needs no new signatures.
    for (const statement of FOLLOW_VERSION) await statement.run(tx, [version, id, before.version]);
  }

  async insert(tx: Transaction, zone: ZoneEntity): Promise<void> {
    try {
      await entityManagerOf(tx).insert(ZoneEntity, zone);
    } catch (error) {
      if (!violatesUniqueKey(error, NAME_KEY)) throw error;
      throw duplicateZone(zone.name);
    }
  }

  /** Inserts zones that are known to be new. */
  insertAll(tx: Transaction, zones: readonly Readonly<ZoneEntity>[]): Promise<void> {
    const rows = zones.map((zone) => FIELDS.map((field) => zone[field]));
    return INSERT.run(tx, rows);
  }

  /** @throws ServiceError `duplicate_zone` */
  async assertNew(tx: Transaction, { name, nameKey }: Pick<ZoneEntity, 'name' | 'nameKey'>): Promise<void> {
    if ((await FIND_AMONG.rows(tx, [], [[nameKey]])).length > 0) throw duplicateZone(name);
  }

  async update(tx: Transaction, zone: ZoneEntity): Promise<void> {
    const { id, email, ttl, soaTtl, description, masters, attributes, labels, apexNs, keptFields, updatedAt } = zone;
    const fields = { email, ttl, soaTtl, description, masters, attributes, labels, apexNs, keptFields, updatedAt };
    await entityManagerOf(tx).update(ZoneEntity, { id }, fields);
  }

  async recordTransfer(tx: Transaction, zone: ZoneEntity): Promise<void> {
    const { id, email, ttl, generation, transferredAt, updatedAt } = zone;
    await entityManagerOf(tx).update(ZoneEntity, { id }, { email, ttl, generation, transferredAt, updatedAt });
  }

  /** `null`: name servers get the present, unsigned zone. */
  publish(tx: Transaction, id: string, published: PublishedVersion | null): Promise<void> {
    return PUBLISH.run(tx, [published?.version ?? null, published?.serial ?? null, id]);
  }

  async setOwner(tx: Transaction, { id, tenantId, updatedAt }: ZoneEntity): Promise<void> {
    await entityManagerOf(tx).update(ZoneEntity, { id }, { tenantId, updatedAt });
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await entityManagerOf(tx).delete(ZoneEntity, { id });
  }

  /** Locks the row of the tenant if it exists. */
  async zoneCountOf(tx: Transaction, tenantId: string): Promise<number> {
    return (await LOCK_ZONE_COUNT.first(tx, [tenantId]))?.zoneCount ?? 0;
  }

  /** Does not wait for row locks; `null` if another transaction holds the row. */
  async freeZoneCountsOf(tx: Transaction, tenantIds: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
    const keys = tenantIds.map((id) => [id]);
    const free = await LOCK_FREE_ZONE_COUNTS.rows(tx, [], keys);
    const counts = new Map<string, number | null>(free.map(({ id, zoneCount }) => [id, zoneCount]));
    const missing = tenantIds.filter((id) => !counts.has(id));
    const heldKeys = missing.map((id) => [id]);
    const held = await ZONE_COUNTS.rows(tx, [], heldKeys);
    for (const id of missing) counts.set(id, 0);
    for (const { id } of held) counts.set(id, null);
    return counts;
  }

  /** Returns the new count; locks the row of the tenant. */
  async countForTenant(tx: Transaction, tenantId: string, growth: number): Promise<number> {
    const row = await COUNT_DOMAIN.first(tx, [tenantId, growth]);
    return row?.zoneCount ?? 0;
  }

  async hasZoneBelow(tx: Transaction, nameKey: string): Promise<boolean> {
    return (await FIND_BELOW.first(tx, keysBelow(nameKey))) !== undefined;
  }

  async hasForeignZoneBelow(tx: Transaction, nameKey: string, tenantId: string): Promise<boolean> {
    return (await FIND_BELOW_OF_OTHERS.rows(tx, [], [[...keysBelow(nameKey), tenantId]])).length > 0;
  }

  /** Finds zones of all tenants. */
  findAmong(tx: Transaction, nameKeys: readonly string[]): Promise<Pick<ZoneKey, 'nameKey' | 'tenantId'>[]> {
    const keys = nameKeys.map((key) => [key]);
    return FIND_AMONG.rows(tx, [], keys);
  }

  versionsAmong(tx: Transaction, nameKeys: readonly string[]): Promise<ZoneVersion[]> {
    const keys = nameKeys.map((key) => [key]);
    return VERSIONS.rows(tx, [], keys);
  }

  /** Locks from the top down, so that their contents cannot change. */
  async lockByKeys(tx: Transaction, nameKeys: readonly string[]): Promise<ZoneKey[]> {
    if (nameKeys.length === 0) return [];
    return LOCK_BY_KEYS.rows(tx, [], nameKeys);
  }

  /** Skips zones that other transactions hold, without waiting. */
  async lockFreeByKeys(tx: Transaction, nameKeys: readonly string[]): Promise<ZoneKey[]> {
    if (nameKeys.length === 0) return [];
    return LOCK_FREE_BY_KEYS.rows(tx, [], nameKeys);
  }
}

function nameKeysOf(names: readonly string[]): string[][] {
  return names.map((name) => [DomainName.parse(name).key]);
}

function byId(one: ZoneEntity, other: ZoneEntity): number {
  return one.id < other.id ? -1 : 1;
}

function visible<Row extends OwnedZone>(zone: Row | undefined, caller: Caller): Row {
  if (zone === undefined || !maySee(caller, zone)) throw noSuchZone();
  return zone;
}

/** Also for a zone that the caller may not see. */
export function noSuchZone(): ServiceError {
  return new ServiceError('zone_not_found', 'There is no such zone; list the zones that you have.');
}

function duplicateZone(name: string): ServiceError {
  return ServiceError.ofField(
    'duplicate_zone',
    'name',
    'enum',
    `The zone ${name} exists already.`,
    because('duplicate_domain', { domain: name }),
  );
}
