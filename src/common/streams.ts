import type { Readable } from 'node:stream';
import { FairLimiter } from './waiting/fair-limiter.js';
import { Limiter, type Release, type TenantBounds } from './waiting/limiter.js';

/** Bounds concurrent answers of unlimited length, which hold memory until the client has read them. */
export class Streams {
  private readonly underWay: Limiter;
  private readonly reading = new FairLimiter({ inAll: Infinity, perKey: 1 });

  constructor(bounds: TenantBounds) {
    this.underWay = Limiter.ofTenants('long lists, exports, checks and comparisons', bounds);
  }

  /** @throws ServiceError `unavailable` */
  take(tenantId: string): Release {
    return this.underWay.take(tenantId);
  }

  /** Counts an answer until it has been read or destroyed. @throws ServiceError `unavailable`, and errors of `make` */
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

  /** Reads a whole zone in its turn and counts it. @throws ServiceError `unavailable`, and errors of `read` */
  async read<T>(tenantId: string, read: () => Promise<T>): Promise<T> {
    const end = this.take(tenantId);
    try {
      return await this.inTurn(tenantId, read);
    } finally {
      end();
    }
  }

  /** Each tenant reads one zone at a time: tenants share a few connections for whole zones. */
  inTurn<T>(tenantId: string, read: () => Promise<T>): Promise<T> {
    return this.reading.run(read, tenantId);
  }
}
