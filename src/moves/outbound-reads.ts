import { Injectable } from '@nestjs/common';
import { Limiter } from '../common/waiting/limiter.js';
import { TimeLimit } from './time-limit.js';

const BOUNDS = { perTenant: 2, inAll: 16 };

/** Bounds the concurrent reads of other name servers, and their time. */
@Injectable()
export class OutboundReads {
  private readonly underWay = Limiter.ofTenants('reads of other name servers', BOUNDS);

  /** @param timeLimit in milliseconds @throws ServiceError `unavailable`, and errors of `read` */
  async run<T>(
    tenantId: string,
    timeLimit: number,
    gone: AbortSignal,
    read: (stop: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const release = this.underWay.take(tenantId);
    const limit = new TimeLimit(timeLimit, gone);
    try {
      return await read(limit.signal);
    } finally {
      limit.end();
      release();
    }
  }
}
