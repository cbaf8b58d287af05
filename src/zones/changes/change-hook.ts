import type { Transaction } from '../../database/transaction.js';
import type { Outcome } from '../../database/unit-of-work.js';
import type { ZoneEntity } from '../zone.entity.js';
import type { Caller } from '../../common/caller.js';

/** A condition on a change, or a write in its transaction, such as a stored answer. */
export interface ChangeHook<Result> {
  /** A hook of the service, which uses only the database. @internal */
  readonly isOurs?: true;
  /**
   * Reads what `admit` needs, batched with the reads of the change.
   * @param zone the locked zone
   */
  load?(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void>;
  /**
   * Rejects the change by throwing.
   * @param zone after the changes before this one in the batch
   * @throws ServiceError
   */
  admit?(zone: Readonly<ZoneEntity>): void;
  /** Writes in the transaction of the change, also if the change was rejected or was a dry run. */
  write?(tx: Transaction, outcome: Outcome<Result>): Promise<void>;
}

/** Applies a deadline to the hooks of plugins. */
export abstract class HookGuard {
  abstract around<Result>(hook: ChangeHook<Result>, caller: Caller): ChangeHook<Result>;
}

export class NoHookGuard extends HookGuard {
  override around<Result>(hook: ChangeHook<Result>): ChangeHook<Result> {
    return hook;
  }
}
