import { Injectable } from '@nestjs/common';
import { isScoped, mayManage } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { Clock, type Instant } from '../../common/clock.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { bulkInsert } from '../../database/statements/bulk-write.js';
import { type FilteredPage, FilteredPages, type ListWalk } from '../../database/statements/filtered-pages.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { Reads } from '../../database/reads.js';
import type { SqlValue, Transaction } from '../../database/transaction.js';
import { ManyStatement, Statement } from '../../database/statements/statement.js';
import { indexedBy, numberKey, textKey, wholeTable } from '../../database/statements/walk.js';
import type { TaskKind, ZoneTaskEntity } from './zone-task.entity.js';

const COLUMNS =
  'id, kind, tenant_id AS "tenantId", zone_id AS "zoneId", zone_version AS "zoneVersion", serial, status, message, renewals,' +
  ' version, created_at AS "createdAt", updated_at AS "updatedAt"';

const FIND = new Statement<ZoneTaskEntity>(`SELECT ${COLUMNS} FROM zone_tasks WHERE id = ? AND kind = ?`);
const PAGES = new FilteredPages<ZoneTaskEntity>({
  select: COLUMNS,
  from: 'zone_tasks',
  id: 'id',
  columns: {
    status: { sql: 'status', kind: 'text' },
    message: { sql: 'message', kind: 'text' },
    zone_id: { sql: 'zone_id', kind: 'text' },
    created_at: { sql: 'created_at', kind: 'number' },
    updated_at: { sql: 'updated_at', kind: 'number' },
  },
});
const INSERT = bulkInsert('zone_tasks', {
  id: 'text',
  kind: 'text',
  tenant_id: 'text',
  zone_id: 'text',
  zone_version: 'bigint',
  serial: 'bigint',
  status: 'text',
  message: 'text',
  renewals: 'bigint',
  version: 'integer',
  created_at: 'bigint',
  updated_at: 'bigint',
});
const DELETE = new Statement<unknown>('DELETE FROM zone_tasks WHERE id = ? RETURNING 1');
/** The first outcome of a task is final. */
const END =
  'UPDATE zone_tasks SET status = ?, message = ?, zone_id = COALESCE(?, zone_id), version = version + 1, updated_at = ?' +
  " WHERE id = ? AND status = 'PENDING'";
const END_PENDING = new Statement<unknown>(`${END} RETURNING 1`);
const END_NOT_RENEWED = new Statement<unknown>(`${END} AND renewals = ? RETURNING 1`);
const RENEW = new ManyStatement<unknown>(
  (marks) => `UPDATE zone_tasks SET renewals = renewals + 1 WHERE status = 'PENDING' AND id IN (${marks}) RETURNING 1`,
);
/** Reads the index of pending tasks; SQLite uses it only with a condition on `id`. */
const PENDING = new Statement<PendingTask>("SELECT id, renewals FROM zone_tasks WHERE status = 'PENDING' AND id > ''");
const DELETE_OLD = new PortionedDelete({
  table: 'zone_tasks',
  key: ['id'],
  where: 'created_at <= ?',
  index: 'zone_tasks_by_time',
  orderBy: 'created_at',
});
const DELETED_AT_A_TIME = 500;

export type PendingTask = Pick<ZoneTaskEntity, 'id' | 'renewals'>;

export interface TaskEnd {
  readonly status: 'COMPLETE' | 'ERROR';
  readonly message: string | null;
  readonly zoneId?: string;
}

function walkOf(kind: TaskKind, { allTenants, tenantId }: Caller): ListWalk {
  if (allTenants) return { ...wholeTable('zone_tasks'), seen: { sql: 'kind = ?', values: [kind] } };
  return {
    from: `zone_tasks${indexedBy('zone_tasks_of_tenant')}`,
    where: { sql: 'tenant_id = ? AND kind = ?', values: [tenantId, kind] },
    key: [numberKey('created_at'), textKey('id')],
    order: 'created_at',
  };
}

@Injectable()
export class ZoneTaskRepository {
  constructor(
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  async find(kind: TaskKind, id: string, caller: Caller): Promise<ZoneTaskEntity | null> {
    const task = await this.reads.run((tx) => FIND.first(tx, [id, kind]));
    return task !== undefined && mayManage(caller, task) ? task : null;
  }

  async findIn(tx: Transaction, kind: TaskKind, id: string, caller: Caller): Promise<ZoneTaskEntity | null> {
    const task = await FIND.first(tx, [id, kind]);
    return task !== undefined && mayManage(caller, task) ? task : null;
  }

  page(kind: TaskKind, caller: Caller, query: CollectionQuery): Promise<FilteredPage<ZoneTaskEntity>> {
    return PAGES.page(this.reads, isScoped(caller) ? [] : [walkOf(kind, caller)], query);
  }

  async insert(tx: Transaction, task: ZoneTaskEntity): Promise<void> {
    const { id, kind, tenantId, zoneId, zoneVersion, serial, status, message, renewals } = task;
    const { version, createdAt, updatedAt } = task;
    const described = [id, kind, tenantId, zoneId, zoneVersion, serial];
    await INSERT.run(tx, [[...described, status, message, renewals, version, createdAt, updatedAt]]);
  }

  async delete(tx: Transaction, id: string): Promise<boolean> {
    return (await DELETE.first(tx, [id])) !== undefined;
  }

  /** Returns whether the task was pending. */
  async end(tx: Transaction, id: string, end: TaskEnd): Promise<boolean> {
    return (await END_PENDING.first(tx, [...this.valuesOf(end), id])) !== undefined;
  }

  /** Ends the task, unless its heartbeats have changed. */
  async endUnlessRenewed(tx: Transaction, { id, renewals }: PendingTask, end: TaskEnd): Promise<boolean> {
    return (await END_NOT_RENEWED.first(tx, [...this.valuesOf(end), id, renewals])) !== undefined;
  }

  async renew(tx: Transaction, ids: readonly string[]): Promise<void> {
    await RENEW.rows(tx, [], ids);
  }

  pending(): Promise<PendingTask[]> {
    return this.reads.run((tx) => PENDING.rows(tx, []));
  }

  /** Returns whether there may be more. */
  deleteOld(tx: Transaction, before: Instant): Promise<boolean> {
    return DELETE_OLD.run(tx, [before], DELETED_AT_A_TIME);
  }

  private valuesOf({ status, message, zoneId }: TaskEnd): SqlValue[] {
    return [status, message, zoneId ?? null, this.clock.now()];
  }
}
