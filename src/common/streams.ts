import { ConcurrencyLimit, type ConcurrencyBounds } from './concurrency-limit.js';

/** Bounds how many answers of any length are under way: each of them holds some memory until its client has read it. */
export class Streams extends ConcurrencyLimit {
  /** Of each tenant that reads whole zones, the end of what was begun last. */
  private readonly latest = new Map<string, Promise<unknown>>();

  constructor(bounds: ConcurrencyBounds) {
    super('long lists, exports and checks', bounds);
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
