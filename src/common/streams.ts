import type { Readable } from 'node:stream';
import { FairLimiter } from './waiting/fair-limiter.js';
import { Limiter, type Release, type TenantBounds } from './waiting/limiter.js';

/** Bounds how many answers of any length are under way: each of them holds some memory until its client has read it. */
export class Streams {
  private readonly underWay: Limiter;
  private readonly reading = new FairLimiter({ inAll: Infinity, perKey: 1 });

  constructor(bounds: TenantBounds) {
    this.underWay = Limiter.ofTenants('long lists, exports, checks and comparisons', bounds);
  }

  /**
   * Counts one as under way until it is released.
   * @throws ServiceError `unavailable`
   */
  take(tenantId: string): Release {
    return this.underWay.take(tenantId);
  }

  /**
   * An answer, which counts as under way until it has been read or destroyed.
   * @throws ServiceError `unavailable`, and what `make` throws
   */
  async begin(tenantId: string, make: () => Promise<Readable>): Promise<Readable> {
    const end = this.take(tenantId);
    try {
      const answer = await make();
      return answer.once('close', end);
    } catch (error) {
      end();
      throw error;
    }
  }

  /**
   * Reads a whole zone in its turn, and counts as under way meanwhile.
   * @throws ServiceError `unavailable`, and what `read` throws
   */
  async read<T>(tenantId: string, read: () => Promise<T>): Promise<T> {
    const end = this.take(tenantId);
    try {
      return await this.inTurn(tenantId, read);
    } finally {
      end();
    }
  }

  /**
   * Runs `read` when the tenant's earlier ones have ended. Whoever reads a whole zone holds one of the few connections that
   * are there for it, so a tenant has one at a time and leaves the others to others.
   */
  inTurn<T>(tenantId: string, read: () => Promise<T>): Promise<T> {
    return this.reading.run(read, tenantId);
  }
}
