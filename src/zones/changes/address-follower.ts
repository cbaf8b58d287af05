import type { Transaction } from '../../database/transaction.js';
import type { ZoneChange } from './zone-change.js';

/** What becomes of the PTR records of an address. */
export interface ReverseStep {
  readonly domain: string;
  readonly name: string;
  /** `null`: no PTR record. */
  readonly before: string | null;
  readonly after: string | null;
  /** Why the PTR record stays as it is, although it does not have the name. */
  readonly problem: string | null;
}

/** Port: keeps PTR records in step with addresses, in the transaction of their change. */
export abstract class AddressFollower {
  /**
   * @param changes of which each has addresses, of locked zones whose rows are written
   * @returns the ids of the other zones that were changed
   */
  abstract follow(tx: Transaction, changes: readonly ZoneChange[]): Promise<readonly string[]>;

  /** What `follow` would do. */
  abstract plan(tx: Transaction, change: ZoneChange): Promise<readonly ReverseStep[]>;
}
