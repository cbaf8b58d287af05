import { Injectable } from '@nestjs/common';
import { isScoped } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import type { Instant } from '../../common/clock.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { type FilteredPage, FilteredPages, type ListWalk } from '../../database/statements/filtered-pages.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { indexedBy, numberKey, primaryKeyOf, textKey } from '../../database/statements/walk.js';
import { OwnershipTransferAcceptEntity, OwnershipTransferRequestEntity } from './ownership-transfer.entity.js';

export interface OwnershipTransferRequest extends OwnershipTransferRequestEntity {
  readonly zoneName: string;
}

/** `zoneName` is `null` if the zone was deleted. */
export interface OfferedZone extends OwnershipTransferRequestEntity {
  readonly zoneName: string | null;
}

// The join hides offers of deleted zones.
const REQUESTS = 'zone_transfer_requests r JOIN zones z ON z.id = r.zone_id';
const REQUEST =
  'r.id, r.zone_id AS "zoneId", r.tenant_id AS "tenantId", r.target_tenant_id AS "targetTenantId", r.transfer_key AS "key",' +
  ' r.description, r.status, r.created_at AS "createdAt", r.updated_at AS "updatedAt", z.name AS "zoneName"';
const FIND_REQUEST_SQL = `SELECT ${REQUEST} FROM ${REQUESTS} WHERE r.id = ?`;
const FIND_REQUEST = new Statement<OwnershipTransferRequest>(FIND_REQUEST_SQL);
const LOCK_REQUEST = new Statement<OwnershipTransferRequest>(FIND_REQUEST_SQL, `${FIND_REQUEST_SQL} FOR UPDATE OF r`);
const FIND_EVEN_SQL = `SELECT ${REQUEST} FROM zone_transfer_requests r LEFT JOIN zones z ON z.id = r.zone_id WHERE r.id = ?`;
const LOCK_EVEN = new Statement<OfferedZone>(FIND_EVEN_SQL, `${FIND_EVEN_SQL} FOR UPDATE OF r`);
const FIND_ACTIVE = new Statement<unknown>(
  "SELECT 1 FROM zone_transfer_requests WHERE zone_id = ? AND status = 'ACTIVE'",
);
const PAGES_OF_REQUESTS = new FilteredPages<OwnershipTransferRequest>({
  select: REQUEST,
  from: REQUESTS,
  id: 'r.id',
  columns: {
    status: { sql: 'r.status', kind: 'text' },
    created_at: { sql: 'r.created_at', kind: 'number' },
    updated_at: { sql: 'r.updated_at', kind: 'number' },
  },
});

const ACCEPTS = 'zone_transfer_accepts a JOIN zones z ON z.id = a.zone_id';
const ACCEPT =
  'a.id, a.request_id AS "requestId", a.zone_id AS "zoneId", a.tenant_id AS "tenantId", a.created_at AS "createdAt"';
const FIND_ACCEPT = new Statement<OwnershipTransferAcceptEntity>(`SELECT ${ACCEPT} FROM ${ACCEPTS} WHERE a.id = ?`);
const PAGES_OF_ACCEPTS = new FilteredPages<OwnershipTransferAcceptEntity>({
  select: ACCEPT,
  from: ACCEPTS,
  id: 'a.id',
  columns: {
    // The only status.
    status: { sql: "'COMPLETE'", kind: 'text' },
    created_at: { sql: 'a.created_at', kind: 'number' },
  },
});

const DELETE_ACCEPTS = new Statement('DELETE FROM zone_transfer_accepts WHERE request_id = ?');
const ORPHANED = 'zone_id NOT IN (SELECT id FROM zones)';
const DELETE_ORPHANED_REQUESTS = new Statement(`DELETE FROM zone_transfer_requests WHERE ${ORPHANED}`);
const DELETE_ORPHANED_ACCEPTS = new Statement(`DELETE FROM zone_transfer_accepts WHERE ${ORPHANED}`);

@Injectable()
export class OwnershipTransferRepository {
  constructor(private readonly reads: Reads) {}

  find(id: string): Promise<OwnershipTransferRequest | undefined> {
    return this.reads.run((tx) => FIND_REQUEST.first(tx, [id]));
  }

  lock(tx: Transaction, id: string): Promise<OwnershipTransferRequest | undefined> {
    return LOCK_REQUEST.first(tx, [id]);
  }

  /** Also for a deleted zone. */
  lockEven(tx: Transaction, id: string): Promise<OfferedZone | undefined> {
    return LOCK_EVEN.first(tx, [id]);
  }

  /** Stays true under the zone lock. */
  async isOffered(tx: Transaction, zoneId: string): Promise<boolean> {
    return (await FIND_ACTIVE.first(tx, [zoneId])) !== undefined;
  }

  /** Offers by the caller, and offers to the caller alone. */
  page(caller: Caller, query: CollectionQuery): Promise<FilteredPage<OwnershipTransferRequest>> {
    return PAGES_OF_REQUESTS.page(this.reads, walksOfRequests(caller), query);
  }

  async insert(tx: Transaction, { zoneName: _, ...request }: OwnershipTransferRequest): Promise<void> {
    await entityManagerOf(tx).insert(OwnershipTransferRequestEntity, request);
  }

  async update(
    tx: Transaction,
    { id, targetTenantId, description, updatedAt }: Readonly<OwnershipTransferRequest>,
  ): Promise<void> {
    await entityManagerOf(tx).update(
      OwnershipTransferRequestEntity,
      { id },
      { targetTenantId, description, updatedAt },
    );
  }

  async complete(tx: Transaction, id: string, updatedAt: Instant): Promise<void> {
    await entityManagerOf(tx).update(OwnershipTransferRequestEntity, { id }, { status: 'COMPLETE', updatedAt });
  }

  async delete(tx: Transaction, id: string): Promise<void> {
    await entityManagerOf(tx).delete(OwnershipTransferRequestEntity, { id });
    await DELETE_ACCEPTS.run(tx, [id]);
  }

  findAccept(id: string): Promise<OwnershipTransferAcceptEntity | undefined> {
    return this.reads.run((tx) => FIND_ACCEPT.first(tx, [id]));
  }

  pageOfAccepts(caller: Caller, query: CollectionQuery): Promise<FilteredPage<OwnershipTransferAcceptEntity>> {
    return PAGES_OF_ACCEPTS.page(this.reads, walksOfAccepts(caller), query);
  }

  async insertAccept(tx: Transaction, accept: OwnershipTransferAcceptEntity): Promise<void> {
    await entityManagerOf(tx).insert(OwnershipTransferAcceptEntity, accept);
  }

  async deleteOrphaned(tx: Transaction): Promise<void> {
    await DELETE_ORPHANED_REQUESTS.run(tx, []);
    await DELETE_ORPHANED_ACCEPTS.run(tx, []);
  }
}

/** Scoped tokens see no offers. */
function walksOfRequests(caller: Caller): ListWalk[] {
  const { tenantId, allTenants } = caller;
  if (isScoped(caller)) return [];
  const by = (index: string): string => `zone_transfer_requests r${indexedBy(index)}`;
  const isThere = zoneIsThere('r');
  if (allTenants)
    return [
      { from: by(primaryKeyOf('zone_transfer_requests')), key: [textKey('r.id')], seen: { sql: isThere, values: [] } },
    ];
  const key = [numberKey('r.created_at'), textKey('r.id')];
  const own = { sql: 'r.tenant_id = ?', values: [tenantId] };
  const offered = { sql: 'r.target_tenant_id = ?', values: [tenantId] };
  const ofOthers = { sql: `r.tenant_id <> ? AND ${isThere}`, values: [tenantId] };
  return [
    { from: by('zone_transfer_requests_of_tenant'), where: own, key, seen: { sql: isThere, values: [] } },
    { from: by('zone_transfer_requests_for_tenant'), where: offered, key, seen: ofOthers },
  ];
}

function walksOfAccepts(caller: Caller): ListWalk[] {
  const { tenantId, allTenants } = caller;
  if (isScoped(caller)) return [];
  const by = (index: string): string => `zone_transfer_accepts a${indexedBy(index)}`;
  const seen = { sql: zoneIsThere('a'), values: [] };
  if (allTenants) return [{ from: by(primaryKeyOf('zone_transfer_accepts')), key: [textKey('a.id')], seen }];
  const where = { sql: 'a.tenant_id = ?', values: [tenantId] };
  const key = [numberKey('a.created_at'), textKey('a.id')];
  return [{ from: by('zone_transfer_accepts_of_tenant'), where, key, seen }];
}

function zoneIsThere(table: string): string {
  return `EXISTS (SELECT 1 FROM zones z WHERE z.id = ${table}.zone_id)`;
}
