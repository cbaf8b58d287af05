import { Injectable } from '@nestjs/common';
import { isForZone } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { type FilteredPage, FilteredPages } from '../../database/statements/filtered-pages.js';
import { Lookup } from '../../database/statements/lookup.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { forEachDatabase, indexedBy, textKey } from '../../database/statements/walk.js';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Lets a tenant add record sets to a zone of another tenant. */
@Entity('zone_shares')
@Index('zone_shares_key', ['zoneId', 'targetTenantId'], { unique: true })
@Index('zone_shares_for_tenant', ['targetTenantId', 'zoneId'])
export class ZoneShareEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { name: 'target_tenant_id', length: 255, ...BYTEWISE })
  targetTenantId!: string;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}

export interface ZoneShare extends ZoneShareEntity {
  readonly tenantId: string;
}

const SHARES = 'zone_shares s JOIN zones z ON z.id = s.zone_id';
const COLUMNS =
  's.id, s.zone_id AS "zoneId", s.target_tenant_id AS "targetTenantId", s.created_at AS "createdAt", z.tenant_id AS "tenantId"';
const FIND = new Statement<ZoneShare>(`SELECT ${COLUMNS} FROM ${SHARES} WHERE s.zone_id = ? AND s.id = ?`);
const PAGES = new FilteredPages<ZoneShare>({
  select: COLUMNS,
  from: SHARES,
  id: 's.id',
  columns: {
    target_project_id: { sql: 's.target_tenant_id', kind: 'exact' },
    created_at: { sql: 's.created_at', kind: 'number' },
  },
});
/** Keeps SQLite from reading all shares because of outdated statistics. */
const OF_ZONE = indexedBy('zone_shares_key');
const OF_TARGET = indexedBy('zone_shares_for_tenant');
const IS_SHARED = new Statement<unknown>(
  ...forEachDatabase(`SELECT 1 FROM zone_shares${OF_ZONE} WHERE zone_id = ? LIMIT 1`),
);
const SHARED_WITH_SQL = 'SELECT 1 AS one FROM zone_shares WHERE zone_id = ? AND target_tenant_id = ?';
const IS_SHARED_WITH = new Statement<unknown>(SHARED_WITH_SQL);
/** Batched with the other reads of a change. */
const IS_SHARED_WITH_FOR_CHANGE = new Lookup<unknown>(SHARED_WITH_SQL, ['text', 'text']);
const GRANTEE_OF = new Statement<{ readonly nameKey: string }>(
  `SELECT z.name_key AS "nameKey" FROM ${SHARES} WHERE s.zone_id = ? AND s.target_tenant_id = ?`,
);
const IS_TARGET = new Statement<unknown>(
  ...forEachDatabase(`SELECT 1 FROM zone_shares${OF_TARGET} WHERE target_tenant_id = ? LIMIT 1`),
);
const DELETE = new Statement('DELETE FROM zone_shares WHERE id = ?');
const DELETE_OF_ZONE = new Statement('DELETE FROM zone_shares WHERE zone_id = ?');
const DELETE_WITH = new Statement('DELETE FROM zone_shares WHERE zone_id = ? AND target_tenant_id = ?');

export const isSharedWithSql = (zoneId: string): string =>
  `EXISTS (SELECT 1 FROM zone_shares h${OF_ZONE} WHERE h.zone_id = ${zoneId} AND h.target_tenant_id = ?)`;
export const isSharedSql = (zoneId: string): string =>
  `EXISTS (SELECT 1 FROM zone_shares h${OF_ZONE} WHERE h.zone_id = ${zoneId})`;

/** Reads under the zone lock stay valid. */
@Injectable()
export class ZoneShareRepository {
  constructor(private readonly reads: Reads) {}

  find(tx: Transaction, zoneId: string, id: string): Promise<ZoneShare | undefined> {
    return FIND.first(tx, [zoneId, id]);
  }

  /** @param targetTenantId the only grantee; `null`: all */
  page(zoneId: string, targetTenantId: string | null, query: CollectionQuery): Promise<FilteredPage<ZoneShare>> {
    const from = `zone_shares s${indexedBy('zone_shares_key')}`;
    const where =
      targetTenantId === null
        ? { sql: 's.zone_id = ?', values: [zoneId] }
        : { sql: 's.zone_id = ? AND s.target_tenant_id = ?', values: [zoneId, targetTenantId] };
    return PAGES.page(this.reads, [{ from, where, key: [textKey('s.target_tenant_id')] }], query);
  }

  async isShared(tx: Transaction, zoneId: string): Promise<boolean> {
    return (await IS_SHARED.first(tx, [zoneId])) !== undefined;
  }

  async isSharedWith(tx: Transaction, zoneId: string, tenantId: string): Promise<boolean> {
    return (await IS_SHARED_WITH.first(tx, [zoneId, tenantId])) !== undefined;
  }

  /** Whether the caller is a grantee, and its token is not restricted to other zones (behaviour 14.2). */
  async isGrantee(tx: Transaction, zoneId: string, caller: Caller): Promise<boolean> {
    const zone = await GRANTEE_OF.first(tx, [zoneId, caller.tenantId]);
    return zone !== undefined && isForZone(caller, zone);
  }

  async isSharedForChange(tx: Transaction, zoneId: string, tenantId: string): Promise<boolean> {
    return (await IS_SHARED_WITH_FOR_CHANGE.rows(tx, [], [[zoneId, tenantId]])).length > 0;
  }

  /** Whether the tenant has any grant. If not, lists skip shared zones. */
  async isTarget(tx: Transaction, tenantId: string): Promise<boolean> {
    return (await IS_TARGET.first(tx, [tenantId])) !== undefined;
  }

  async insert(tx: Transaction, share: ZoneShareEntity): Promise<void> {
    await entityManagerOf(tx).insert(ZoneShareEntity, share);
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await DELETE.run(tx, [id]);
  }

  async deleteOfZone(tx: Transaction, zoneId: string): Promise<void> {
    await DELETE_OF_ZONE.run(tx, [zoneId]);
  }

  async deleteWith(tx: Transaction, zoneId: string, tenantId: string): Promise<void> {
    await DELETE_WITH.run(tx, [zoneId, tenantId]);
  }
}
