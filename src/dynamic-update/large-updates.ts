import { Injectable } from '@nestjs/common';
import { FairLimiter } from '../common/waiting/fair-limiter.js';
import { Limiter } from '../common/waiting/limiter.js';

/** Of so many prerequisites and updates on a message is large. */
const LARGE = 20;
/** Each of those that wait is in memory with its records, of which 64 KiB hold 1,770. */
const MOST_OF_TENANT = 64;
const MOST_IN_ALL = 256;
/** In milliseconds; clients give up sooner. */
const LONGEST_WAIT = 30_000;

/**
 * Large messages of a tenant go one after the other, and tenants take turns: whoever else changes something waits for one or two
 * of them, however many are sent at once.
 */
@Injectable()
export class LargeUpdates {
  private readonly room = Limiter.ofTenants('large updates', { perTenant: MOST_OF_TENANT, inAll: MOST_IN_ALL });
  private readonly turns = new FairLimiter({ inAll: 2, perKey: 1, timeLimit: LONGEST_WAIT });

  /**
   * @param size prerequisites and updates of the message
   * @throws ServiceError `unavailable` where too many are under way, and what `work` throws
   */
  async inTurn<T>(size: number, tenantId: string, work: () => Promise<T>): Promise<T> {
    if (size < LARGE) return work();
    const leave = this.room.take(tenantId);
    try {
      return await this.turns.run(work, tenantId);
    } finally {
      leave();
    }
  }
}
