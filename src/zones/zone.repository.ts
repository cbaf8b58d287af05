import { Injectable } from '@nestjs/common';
import { maySee, zonesOf } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Instant } from '../common/clock.js';
import type { Page } from '../common/page.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import { type UniqueKey, violatesUniqueKey } from '../database/database-failure.js';
import { lockAcrossProcesses, waitBriefly } from '../database/locks.js';
import { Lookup } from '../database/statements/lookup.js';
import { Reads } from '../database/reads.js';
import { PageStatement } from '../database/statements/page-statement.js';
import { bulkInsert, bulkPatch, type Columns } from '../database/statements/bulk-write.js';
import type { SqlType } from '../database/statements/sql-value.js';
import { ManyStatement, Statement } from '../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../database/transaction.js';
import { primaryKeyOf } from '../database/statements/walk.js';
import { DomainName } from '../dns/name.js';
import { keysBelow } from '../dns/name-key.js';
import { ZoneEntity } from './zone.entity.js';
import { SUMMARIES_OF_ALL, SUMMARIES_OF_TENANT, type SummaryPage } from './lists/zone-summaries.js';

/** Names each column of a zone as `ZoneEntity` does. */
export const ZONE_COLUMNS =
  'id, tenant_id AS "tenantId", name, name_key AS "nameKey", email, ttl, soa_ttl AS "soaTtl", description, serial, version,' +
  ' generation, record_count AS "recordCount", record_set_count AS "recordSetCount", changed_at AS "changedAt",' +
  ' created_at AS "createdAt", updated_at AS "updatedAt", type, masters, attributes,' +
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
/** SQLite is not to sort all that there is, whatever it was told of other rows. */
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
/** Of those that nobody else holds. */
const LOCK_FREE = new Lookup<ZoneEntity>(BY_ID, ['text'], `${BY_ID} FOR UPDATE SKIP LOCKED`);
const CHANGED: Columns = {
  serial: 'bigint',
  version: 'bigint',
  record_count: 'integer',
  record_set_count: 'integer',
  changed_at: 'bigint',
};
/** It travels with the other writes of a change. */
const CLOSE_CHANGE = bulkPatch('zones', { id: 'text' }, CHANGED);
const FIND_BELOW = new Statement<{ tenantId: string }>(
  'SELECT tenant_id AS "tenantId" FROM zones WHERE name_key >= ? AND name_key < ? LIMIT 1',
);
/** No two are made in the same microsecond. */
const STATE_BELOW = new Statement<object>(
  'SELECT COUNT(*) AS zones, SUM(created_at) AS instants FROM zones WHERE name_key >= ? AND name_key < ?',
);
const FIND_BELOW_OF_OTHERS = new Lookup<{ tenantId: string }>(
  'SELECT tenant_id AS "tenantId" FROM zones WHERE name_key >= ? AND name_key < ? AND tenant_id <> ? LIMIT 1',
  ['text', 'text', 'text'],
);
const ZONE_COUNT = 'SELECT zone_count AS "zoneCount" FROM tenants WHERE id = ?';
/** Of several tenants, as far as nobody else holds them. */
const LOCK_FREE_ZONE_COUNTS = new Lookup<TenantCount>(
  'SELECT id, zone_count AS "zoneCount" FROM tenants WHERE id = ?',
  ['text'],
  'SELECT id, zone_count AS "zoneCount" FROM tenants WHERE id = ? FOR UPDATE SKIP LOCKED',
);
const ZONE_COUNTS = new Lookup<TenantCount>('SELECT id, zone_count AS "zoneCount" FROM tenants WHERE id = ?', ['text']);
const LOCK_ZONE_COUNT = new Statement<{ zoneCount: number }>(ZONE_COUNT, `${ZONE_COUNT} FOR UPDATE`);
const COUNT_DOMAIN = new Statement<{ zoneCount: number }>(
  'INSERT INTO tenants (id, zone_count) VALUES (?, ?)' +
    ' ON CONFLICT (id) DO UPDATE SET zone_count = tenants.zone_count + excluded.zone_count' +
    ' RETURNING zone_count AS "zoneCount"',
);

/** A secondary zone is there once it has come from a master, until it expires. */
export const IS_SERVED = "(type = 'PRIMARY' OR transferred_at IS NOT NULL)";
/**
 * Of the two serials the later one (RFC 1982 §3.2): that of a change that is not signed yet, or of signatures without a change.
 * @param of what stands before the names of columns, as in `z.`
 */
export function servedSerialSql(of = ''): string {
  const lead = `(COALESCE(${of}published_serial, ${of}serial) - ${of}serial + 4294967296) % 4294967296`;
  return `CASE WHEN ${lead} BETWEEN 1 AND 2147483647 THEN ${of}published_serial ELSE ${of}serial END`;
}

const PUBLISH = new Statement('UPDATE zones SET published_version = ?, published_serial = ? WHERE id = ?');
const VERSIONS = new Lookup<ZoneVersion>(
  `SELECT id, name_key AS "nameKey", version, changed_at AS "changedAt", published_serial AS "publishedSerial", CASE WHEN ${IS_SERVED} THEN 1 ELSE 0 END AS "isServed" FROM zones WHERE name_key = ?`,
  ['text'],
);

const FIND_SECONDARY = new Statement<SecondaryZone>(
  'SELECT id, masters, tenant_id AS "tenantId" FROM zones WHERE name_key = ? AND type = \'SECONDARY\'',
);

/** In a change of records it travels with what else the change reads. */
const FIND_AMONG = new Lookup<Pick<ZoneKey, 'nameKey' | 'tenantId'>>(
  'SELECT name_key AS "nameKey", tenant_id AS "tenantId" FROM zones WHERE name_key = ?',
  ['text'],
);
const byKeys = (marks: string): string =>
  `SELECT id, name, name_key AS "nameKey", tenant_id AS "tenantId" FROM zones WHERE name_key IN (${marks}) ORDER BY name_key`;
const LOCK_BY_KEYS = new ManyStatement<ZoneKey>(byKeys, (marks) => `${byKeys(marks)} FOR UPDATE`);
const LOCK_FREE_BY_KEYS = new ManyStatement<ZoneKey>(byKeys, (marks) => `${byKeys(marks)} FOR UPDATE SKIP LOCKED`);
/** How each field is stored: one that is added is not forgotten here. */
const STORED: Readonly<Record<keyof ZoneEntity, readonly [column: string, type: SqlType]>> = {
  id: ['id', 'text'],
  tenantId: ['tenant_id', 'text'],
  name: ['name', 'text'],
  nameKey: ['name_key', 'text'],
  email: ['email', 'text'],
  ttl: ['ttl', 'integer'],
  soaTtl: ['soa_ttl', 'integer'],
  description: ['description', 'text'],
  serial: ['serial', 'bigint'],
  version: ['version', 'bigint'],
  recordCount: ['record_count', 'integer'],
  recordSetCount: ['record_set_count', 'integer'],
  generation: ['generation', 'text'],
  type: ['type', 'text'],
  masters: ['masters', 'text'],
  attributes: ['attributes', 'text'],
  apexNs: ['apex_ns', 'text'],
  keptFields: ['kept_fields', 'text'],
  transferredAt: ['transferred_at', 'bigint'],
  publishedVersion: ['published_version', 'bigint'],
  publishedSerial: ['published_serial', 'bigint'],
  changedAt: ['changed_at', 'bigint'],
  createdAt: ['created_at', 'bigint'],
  updatedAt: ['updated_at', 'bigint'],
};
// The keys of a literal are its own.
const FIELDS = Object.keys(STORED) as (keyof ZoneEntity)[];
const INSERT = bulkInsert('zones', Object.fromEntries(FIELDS.map((field) => STORED[field])));

const NAME_KEY: UniqueKey = { name: 'zones_name_key', table: 'zones', columns: ['name_key'] };

/** What name servers are sent of a signed zone. */
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

/** Tells what a zone is from what it was and from what it will be. */
export interface ZoneVersion extends Pick<ZoneEntity, 'id' | 'nameKey' | 'version' | 'changedAt' | 'publishedSerial'> {
  /** 1 where it is: the databases have no truth value in common. */
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

  /**
   * No more of it than whose it is.
   * @throws ServiceError `zone_not_found`
   */
  async findOwned(id: string, caller: Caller): Promise<OwnedZone> {
    return visible(await this.reads.lookUp(FIND_OWNED, [id]), caller);
  }

  /** The zone of that name key, `null` when there is none that the caller sees. */
  async findByKey(nameKey: string, caller: Caller): Promise<ZoneEntity | null> {
    const zone = await this.reads.lookUp(FIND_BY_KEYS, [nameKey]);
    return zone !== undefined && maySee(caller, zone) ? zone : null;
  }

  /** The zone as `tx` sees it, whoever asks. */
  findIn(tx: Transaction, id: string): Promise<ZoneEntity | undefined> {
    return FIND.first(tx, [id]);
  }

  /** Those of the zones that there are, whoever asks. */
  findAllIn(tx: Transaction, ids: readonly string[]): Promise<ZoneEntity[]> {
    return FIND_EACH.rows(
      tx,
      [],
      ids.map((id) => [id]),
    );
  }

  /** Those of the names that zones have, whoever asks. */
  findAllNamedIn(tx: Transaction, names: readonly string[]): Promise<ZoneEntity[]> {
    return FIND_BY_KEYS.rows(tx, [], nameKeysOf(names));
  }

  /** The secondary zone of that name, whoever asks. */
  findSecondary(tx: Transaction, nameKey: string): Promise<SecondaryZone | undefined> {
    return FIND_SECONDARY.first(tx, [nameKey]);
  }

  /** At most `limit` zones that the caller sees, by id from after `marker` on. */
  page(caller: Caller, marker: string, limit: number): Promise<Page<ZoneEntity>> {
    const named = zonesOf(caller);
    if (named !== null) return this.pageOfNamed(named, caller, marker, limit);
    const { allTenants, tenantId } = caller;
    return this.readList((tx) =>
      allTenants ? PAGE_OF_ALL.page(tx, [marker], limit) : PAGE_OF_TENANT.page(tx, [tenantId, marker], limit),
    );
  }

  /** The same with less of each. */
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

  /** Of those that a token is for; there are few. */
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

  /** When the zone that lists show last was created; 0 where there is none. Exact while the tree is locked. */
  async latestCreation(tx: Transaction): Promise<Instant> {
    return (await LATEST.first(tx, []))?.createdAt ?? 0;
  }

  /**
   * The zone as it stands now, and held: on PostgreSQL by its row, on SQLite by the file's write lock.
   * @throws ServiceError `zone_not_found`
   */
  async lock(tx: Transaction, id: string, caller: Caller): Promise<ZoneEntity> {
    return visible(await LOCK.first(tx, [id]), caller);
  }

  /** The same, whoever asks; `undefined` where there is none. */
  lockAny(tx: Transaction, id: string): Promise<ZoneEntity | undefined> {
    return LOCK.first(tx, [id]);
  }

  /** Those of the zones that nobody else holds, and held: it waits for nobody. */
  lockFree(tx: Transaction, ids: readonly string[]): Promise<ZoneEntity[]> {
    return LOCK_FREE.rows(
      tx,
      [],
      ids.map((id) => [id]),
    );
  }

  /**
   * Until the end of the transaction no other zone is made, by any process. So that nobody waits for long, the transaction from
   * now on waits for nothing but a moment, and is tried again later.
   */
  async lockNamespace(tx: Transaction): Promise<void> {
    await lockAcrossProcesses(tx, 'tree of zones');
    await waitBriefly(tx);
  }

  /** Which zones there are below that name: while it stays the same, none has come or gone. */
  async stateBelow(tx: Transaction, nameKey: string): Promise<string> {
    const row = await STATE_BELOW.first(tx, keysBelow(nameKey));
    return JSON.stringify(row);
  }

  /** Writes what a change leaves behind in the zone's row. */
  closeChange(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    const { id, serial, version, recordCount, recordSetCount, changedAt } = zone;
    return CLOSE_CHANGE.run(tx, [[id, serial, version, recordCount, recordSetCount, changedAt]]);
  }

  /** @throws ServiceError `duplicate_zone` */
  async insert(tx: Transaction, zone: ZoneEntity): Promise<void> {
    try {
      await entityManagerOf(tx).insert(ZoneEntity, zone);
    } catch (error) {
      if (!violatesUniqueKey(error, NAME_KEY)) throw error;
      throw duplicateZone(zone.name);
    }
  }

  /** Zones of which it is known that they are new. */
  insertAll(tx: Transaction, zones: readonly Readonly<ZoneEntity>[]): Promise<void> {
    return INSERT.run(
      tx,
      zones.map((zone) => FIELDS.map((field) => zone[field])),
    );
  }

  /** @throws ServiceError `duplicate_zone` */
  async assertNew(tx: Transaction, { name, nameKey }: Pick<ZoneEntity, 'name' | 'nameKey'>): Promise<void> {
    if ((await FIND_AMONG.rows(tx, [], [[nameKey]])).length > 0) throw duplicateZone(name);
  }

  async update(tx: Transaction, zone: ZoneEntity): Promise<void> {
    const { id, email, ttl, soaTtl, description, masters, attributes, apexNs, keptFields, updatedAt } = zone;
    const fields = { email, ttl, soaTtl, description, masters, attributes, apexNs, keptFields, updatedAt };
    await entityManagerOf(tx).update(ZoneEntity, { id }, fields);
  }

  /** Notes what a transfer from a master has brought beside records: the SOA's ttl and contents, and when that was. */
  async recordTransfer(tx: Transaction, zone: ZoneEntity): Promise<void> {
    const { id, email, ttl, generation, transferredAt, updatedAt } = zone;
    await entityManagerOf(tx).update(ZoneEntity, { id }, { email, ttl, generation, transferredAt, updatedAt });
  }

  /** From now on name servers are sent the contents of that version under that serial; `null`: unsigned, as they are. */
  publish(tx: Transaction, id: string, published: PublishedVersion | null): Promise<void> {
    return PUBLISH.run(tx, [published?.version ?? null, published?.serial ?? null, id]);
  }

  async setOwner(tx: Transaction, { id, tenantId, updatedAt }: ZoneEntity): Promise<void> {
    await entityManagerOf(tx).update(ZoneEntity, { id }, { tenantId, updatedAt });
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await entityManagerOf(tx).delete(ZoneEntity, { id });
  }

  /** How many zones the tenant has; its row, if there is one, is held from here on. */
  async zoneCountOf(tx: Transaction, tenantId: string): Promise<number> {
    return (await LOCK_ZONE_COUNT.first(tx, [tenantId]))?.zoneCount ?? 0;
  }

  /** The same of several tenants, whose rows are held as well; `null` where somebody else holds it: it waits for nobody. */
  async freeZoneCountsOf(tx: Transaction, tenantIds: readonly string[]): Promise<ReadonlyMap<string, number | null>> {
    const free = await LOCK_FREE_ZONE_COUNTS.rows(
      tx,
      [],
      tenantIds.map((id) => [id]),
    );
    const counts = new Map<string, number | null>(free.map(({ id, zoneCount }) => [id, zoneCount]));
    const missing = tenantIds.filter((id) => !counts.has(id));
    const held = await ZONE_COUNTS.rows(
      tx,
      [],
      missing.map((id) => [id]),
    );
    for (const id of missing) counts.set(id, 0);
    for (const { id } of held) counts.set(id, null);
    return counts;
  }

  /** How many zones the tenant has once `growth` is added; its row is held from here on. */
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

  /** Those of the given names that are zones, whoever owns them. */
  findAmong(tx: Transaction, nameKeys: readonly string[]): Promise<Pick<ZoneKey, 'nameKey' | 'tenantId'>[]> {
    return FIND_AMONG.rows(
      tx,
      [],
      nameKeys.map((key) => [key]),
    );
  }

  /** Which versions those of the given names have that are zones, whoever asks. */
  versionsAmong(tx: Transaction, nameKeys: readonly string[]): Promise<ZoneVersion[]> {
    return VERSIONS.rows(
      tx,
      [],
      nameKeys.map((key) => [key]),
    );
  }

  /** The same as `findAmong` from the top down, and held, so that nothing is put into them until the transaction ends. */
  async lockByKeys(tx: Transaction, nameKeys: readonly string[]): Promise<ZoneKey[]> {
    if (nameKeys.length === 0) return [];
    return LOCK_BY_KEYS.rows(tx, [], nameKeys);
  }

  /** Those of them that nobody else holds: it waits for nobody. */
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

/** The refusal of a zone that is not there, or that the caller may not see. */
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
