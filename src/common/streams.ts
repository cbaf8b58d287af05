import type { Readable } from 'node:stream';
import { ConcurrencyLimit, type ConcurrencyBounds } from './waiting/concurrency-limit.js';

/** Bounds how many answers of any length are under way: each of them holds some memory until its client has read it. */
export class Streams extends ConcurrencyLimit {
  /** Of each tenant that reads whole zones, the end of what was begun last. */
  private readonly latest = new Map<string, Promise<unknown>>();

  constructor(bounds: ConcurrencyBounds) {
    super('long lists, exports, checks and comparisons', bounds);
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
  async inTurn<T>(tenantId: string, read: () => Promise<T>): Promise<T> {
    const before = this.latest.get(tenantId) ?? Promise.resolve();
    const reading = before.then(read, read);
    this.latest.set(tenantId, reading);
    try {
      return await reading;
    } finally {
      if (this.latest.get(tenantId) === reading) this.latest.delete(tenantId);
    }
  }
}
