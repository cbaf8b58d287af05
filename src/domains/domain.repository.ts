import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Caller, maySee } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { type UniqueKey, violatesUniqueKey } from '../database/database-failure.js';
import { lockAcrossProcesses } from '../database/locks.js';
import { Reads } from '../database/reads.js';
import { ManyStatement, Statement } from '../database/statement.js';
import type { Transaction } from '../database/unit-of-work.js';
import { DomainEntity } from './domain.entity.js';

const COLUMNS =
  'id, tenant_id AS "tenantId", name, name_key AS "nameKey", email, ttl, description, serial, version,' +
  ' record_count AS "recordCount", recordset_count AS "recordsetCount", changed_at AS "changedAt",' +
  ' created_at AS "createdAt", updated_at AS "updatedAt"';

const BY_ID = `SELECT ${COLUMNS} FROM domains WHERE id = ?`;
const FIND = new Statement<DomainEntity>(BY_ID);
const FIND_OWNED = new Statement<OwnedDomain>('SELECT id, tenant_id AS "tenantId" FROM domains WHERE id = ?');
const LOCK = new Statement<DomainEntity>(BY_ID, `${BY_ID} FOR UPDATE`);
const FIND_BY_KEY = new Statement<DomainEntity>(`SELECT ${COLUMNS} FROM domains WHERE name_key = ?`);
const PAGE_OF_TENANT = new Statement<DomainEntity>(
  `SELECT ${COLUMNS} FROM domains WHERE tenant_id = ? AND id > ? ORDER BY id LIMIT ?`,
);
const PAGE_OF_ALL = new Statement<DomainEntity>(`SELECT ${COLUMNS} FROM domains WHERE id > ? ORDER BY id LIMIT ?`);
const CLOSE_CHANGE = new Statement(
  'UPDATE domains SET serial = ?, version = ?, record_count = ?, recordset_count = ?, changed_at = ? WHERE id = ?',
);
const FIND_BELOW = new Statement<{ tenantId: string }>(
  'SELECT tenant_id AS "tenantId" FROM domains WHERE name_key >= ? AND name_key < ? LIMIT 1',
);
const FIND_BELOW_OF_OTHERS = new Statement<{ tenantId: string }>(
  'SELECT tenant_id AS "tenantId" FROM domains WHERE name_key >= ? AND name_key < ? AND tenant_id <> ? LIMIT 1',
);
const COUNT_DOMAIN = new Statement<{ domainCount: number }>(
  'INSERT INTO tenants (id, domain_count) VALUES (?, ?)' +
    ' ON CONFLICT (id) DO UPDATE SET domain_count = tenants.domain_count + excluded.domain_count' +
    ' RETURNING domain_count AS "domainCount"',
);

const byKeys = (marks: string): string =>
  `SELECT name_key AS "nameKey", tenant_id AS "tenantId" FROM domains WHERE name_key IN (${marks}) ORDER BY name_key`;
const FIND_BY_KEYS = new ManyStatement<DomainKey>(byKeys);
const LOCK_BY_KEYS = new ManyStatement<DomainKey>(byKeys, (marks) => `${byKeys(marks)} FOR UPDATE`);

const NAME_KEY: UniqueKey = { name: 'domains_name_key', table: 'domains', columns: ['name_key'] };

export type OwnedDomain = Pick<DomainEntity, 'id' | 'tenantId'>;

interface DomainKey {
  readonly nameKey: string;
  readonly tenantId: string;
}

/** What a change left behind for the domain's row. */
export interface ClosedChange {
  readonly domainId: string;
  readonly serial: number;
  readonly version: number;
  readonly recordCount: number;
  readonly recordsetCount: number;
  readonly changedAt: number;
}

@Injectable()
export class DomainRepository {
  constructor(private readonly reads: Reads) {}

  /** @throws ServiceError `domain_not_found`, also for a domain that the caller may not see */
  find(id: string, caller: Caller): Promise<DomainEntity> {
    return this.reads.run((manager) => findVisible(manager, id, caller, FIND));
  }

  /**
   * No more of it than whose it is.
   * @throws ServiceError `domain_not_found`
   */
  findOwned(id: string, caller: Caller): Promise<OwnedDomain> {
    return this.reads.run((manager) => findVisible(manager, id, caller, FIND_OWNED));
  }

  /** The domain of that name key, `null` when there is none that the caller sees. */
  async findByKey(nameKey: string, caller: Caller): Promise<DomainEntity | null> {
    const domain = await this.reads.run((manager) => FIND_BY_KEY.first(manager, [nameKey]));
    return domain !== undefined && maySee(caller, domain) ? domain : null;
  }

  /** The domain as `manager` sees it, whoever asks. */
  findIn(manager: Transaction, id: string): Promise<DomainEntity | undefined> {
    return FIND.first(manager, [id]);
  }

  /** Up to `limit` domains that the caller sees, by id from after `marker` on. */
  page(caller: Caller, marker: string, limit: number): Promise<DomainEntity[]> {
    return this.reads.run((manager) =>
      caller.allTenants
        ? PAGE_OF_ALL.rows(manager, [marker, limit])
        : PAGE_OF_TENANT.rows(manager, [caller.tenantId, marker, limit]),
    );
  }

  /**
   * The domain as it stands now, and held: on PostgreSQL by its row, on SQLite by the file's write lock.
   * @throws ServiceError `domain_not_found`
   */
  lock(tx: Transaction, id: string, caller: Caller): Promise<DomainEntity> {
    return findVisible(tx, id, caller, LOCK);
  }

  /** Until the end of the transaction no other domain is made, by any process. */
  async lockTree(tx: Transaction): Promise<void> {
    await lockAcrossProcesses(tx, 'tree of domains');
  }

  async closeChange(tx: Transaction, closed: ClosedChange): Promise<void> {
    const { serial, version, recordCount, recordsetCount, changedAt, domainId } = closed;
    await CLOSE_CHANGE.run(tx, [serial, version, recordCount, recordsetCount, changedAt, domainId]);
  }

  /** @throws ServiceError `duplicate_domain` */
  async insert(tx: Transaction, domain: DomainEntity): Promise<void> {
    try {
      await tx.insert(DomainEntity, domain);
    } catch (error) {
      if (!violatesUniqueKey(error, NAME_KEY)) throw error;
      throw ServiceError.ofField('duplicate_domain', 'name', 'enum', `The domain ${domain.name} exists already.`);
    }
  }

  async update(tx: Transaction, { id, email, ttl, description, updatedAt }: DomainEntity): Promise<void> {
    await tx.update(DomainEntity, { id }, { email, ttl, description, updatedAt });
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await tx.delete(DomainEntity, { id });
  }

  /** How many domains the tenant has once `growth` is added; its row is held from here on. */
  async countForTenant(tx: Transaction, tenantId: string, growth: number): Promise<number> {
    const row = await COUNT_DOMAIN.first(tx, [tenantId, growth]);
    return row?.domainCount ?? 0;
  }

  async hasDomainBelow(tx: Transaction, nameKey: string): Promise<boolean> {
    return (await FIND_BELOW.first(tx, below(nameKey))) !== undefined;
  }

  async hasForeignDomainBelow(tx: Transaction, nameKey: string, tenantId: string): Promise<boolean> {
    return (await FIND_BELOW_OF_OTHERS.first(tx, [...below(nameKey), tenantId])) !== undefined;
  }

  /** Those of the given names that are domains, whoever owns them. */
  async findByKeys(tx: Transaction, nameKeys: readonly string[]): Promise<DomainKey[]> {
    if (nameKeys.length === 0) return [];
    return FIND_BY_KEYS.rows(tx, [], nameKeys);
  }

  /** The same, and held, so that nothing is put into them until the transaction ends. */
  async lockByKeys(tx: Transaction, nameKeys: readonly string[]): Promise<DomainKey[]> {
    if (nameKeys.length === 0) return [];
    return LOCK_BY_KEYS.rows(tx, [], nameKeys);
  }
}

async function findVisible<Row extends OwnedDomain>(
  manager: EntityManager,
  id: string,
  caller: Caller,
  find: Statement<Row>,
): Promise<Row> {
  const domain = await find.first(manager, [id]);
  if (domain === undefined || !maySee(caller, domain))
    throw new ServiceError('domain_not_found', 'There is no such domain; list yours with GET /v1/domains.');
  return domain;
}

/** Keys sort everything below a name right after it: `org example` … up to the next octet after the separator. */
function below(nameKey: string): [string, string] {
  return [`${nameKey} `, `${nameKey}!`];
}
