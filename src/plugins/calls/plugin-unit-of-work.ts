import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import { ScopedCalls } from './scoped-calls.js';
import { PluginCalls } from './plugin-calls.js';

/** The only way for a plugin to write. What arrives together is committed together, and nobody is answered before that. */
@Injectable()
export class PluginUnitOfWork {
  /** @internal */
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly calls: PluginCalls,
  ) {}

  /**
   * Others wait for `work`, so it asks the database and nobody else, and judges before it writes. Beyond
   * `change_time_limit_ms`, or `request_time_limit` for what `isLong`, it is given up: all of it is undone, and its
   * transaction closed.
   * @param work may be run again from its beginning: when another of its group breaks, or when PostgreSQL gave it up for the
   *   sake of another
   * @throws what `work` throws, or a ServiceError `unavailable` when it is overdue or the database cannot commit
   */
  run<T>(work: (transaction: Transaction) => Promise<T>, scope: WorkScope = {}): Promise<T> {
    const { limits } = this.calls;
    const limit = scope.isLong === true ? limits.request : limits.change;
    const calls = new ScopedCalls(this.calls.partOfCaller('UnitOfWork'), limit, scope.tenantId ?? null);
    return this.unitOfWork.run((tx) => calls.run(tx, work), scope);
  }
}
