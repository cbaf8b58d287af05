import { Injectable } from '@nestjs/common';
import { assertNotScoped } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { Clock, DAY } from '../../common/clock.js';
import type { CollectionQuery } from '../../common/collection-query.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ChangeLimits } from '../../zones/changes/change-limits.js';
import { MAX_TASK_MESSAGE, type TaskKind, type ZoneTaskEntity } from './zone-task.entity.js';
import { type PendingTask, type TaskEnd, ZoneTaskRepository } from './zone-task.repository.js';

const KEPT_FOR = DAY;

@Injectable()
export class ZoneTasksService {
  constructor(
    private readonly tasks: ZoneTaskRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly limits: ChangeLimits,
    private readonly clock: Clock,
  ) {}

  async get(kind: TaskKind, id: string, caller: Caller): Promise<ZoneTaskEntity> {
    return (await this.tasks.find(kind, id, caller)) ?? throwNoSuchTask(kind);
  }

  page(kind: TaskKind, caller: Caller, query: CollectionQuery): Promise<FilteredPage<ZoneTaskEntity>> {
    return this.tasks.page(kind, caller, query);
  }

  /** A pending import then stores nothing. */
  delete(kind: TaskKind, id: string, caller: Caller): Promise<void> {
    return this.unitOfWork.run(async (tx) => {
      if ((await this.tasks.findIn(tx, kind, id, caller)) === null) throwNoSuchTask(kind);
      await this.tasks.delete(tx, id);
    });
  }

  draft(kind: TaskKind, caller: Caller): ZoneTaskEntity {
    const createdAt = this.clock.now();
    return {
      ...{ id: timeOrderedUuid(createdAt), kind, tenantId: caller.tenantId, createdAt, updatedAt: null, version: 1 },
      ...{ zoneId: null, zoneVersion: null, serial: null, status: 'PENDING', message: null, renewals: 0 },
    };
  }

  /** Counts as a change of the caller. */
  async store(task: ZoneTaskEntity, caller: Caller): Promise<void> {
    assertNotScoped(caller, 'an import or export to be looked at later');
    return this.limits.run(caller.tenantId, () => this.unitOfWork.run((tx) => this.tasks.insert(tx, task)));
  }

  /** Call it in the transaction of the work. Throws if the task was ended or deleted before. */
  async complete(tx: Transaction, { id, kind }: ZoneTaskEntity, end: Omit<TaskEnd, 'status'>): Promise<void> {
    if (!(await this.tasks.end(tx, id, ended({ ...end, status: 'COMPLETE' })))) throwNoSuchTask(kind);
  }

  /** Does nothing if the task has ended or was deleted. */
  async fail(id: string, message: string): Promise<void> {
    await this.unitOfWork.run((tx) => this.tasks.end(tx, id, failed(message)));
  }

  async failUnlessRenewed(task: PendingTask, message: string): Promise<void> {
    await this.unitOfWork.run((tx) => this.tasks.endUnlessRenewed(tx, task, failed(message)));
  }

  pending(): Promise<PendingTask[]> {
    return this.tasks.pending();
  }

  async renew(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.unitOfWork.run((tx) => this.tasks.renew(tx, ids));
  }

  /** Returns whether there may be more. */
  removeSome(): Promise<boolean> {
    return this.unitOfWork.run((tx) => this.tasks.deleteOld(tx, this.clock.now() - KEPT_FOR));
  }
}

function failed(message: string): TaskEnd {
  return ended({ status: 'ERROR', message });
}

function ended(end: TaskEnd): TaskEnd {
  return { ...end, message: end.message === null ? null : shortened(end.message) };
}

function shortened(message: string): string {
  return message.length > MAX_TASK_MESSAGE ? `${message.slice(0, MAX_TASK_MESSAGE - 1)}…` : message;
}

function throwNoSuchTask(kind: TaskKind): never {
  throw kind === 'import'
    ? new ServiceError('zone_import_not_found', 'Could not find ZoneImport')
    : new ServiceError('zone_export_not_found', 'Could not find ZoneExport');
}
