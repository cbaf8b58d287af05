import { RareWarning } from '../rare-warning.js';
import { ServiceError } from '../service-error.js';

/** How many may be under way at the same time in one process. */
export interface ConcurrencyBounds {
  readonly perTenant: number;
  readonly inAll: number;
}

/** Bounds how much of something is under way, so that one tenant leaves room for the others. */
export class ConcurrencyLimit {
  private readonly warning = new RareWarning();
  private readonly perTenant = new Map<string, number>();
  private inAll = 0;

  /** @param things what is counted, in words for messages: `imports` */
  constructor(
    private readonly things: string,
    private readonly bounds: ConcurrencyBounds,
  ) {}

  /**
   * Takes a place, and returns the function that gives it back; only its first call counts.
   * @throws ServiceError `unavailable` when the tenant, or all together, have as many as they may
   */
  take(tenantId: string): () => void {
    const ofTenant = this.perTenant.get(tenantId) ?? 0;
    if (ofTenant >= this.bounds.perTenant) throw this.refusal(tenantId, 'of this tenant', this.bounds.perTenant);
    if (this.inAll >= this.bounds.inAll) throw this.refusal(tenantId, 'of all tenants', this.bounds.inAll);
    this.perTenant.set(tenantId, ofTenant + 1);
    this.inAll += 1;
    let isTaken = true;
    return () => {
      if (isTaken) this.giveBack(tenantId);
      isTaken = false;
    };
  }

  private giveBack(tenantId: string): void {
    const left = (this.perTenant.get(tenantId) ?? 0) - 1;
    if (left > 0) this.perTenant.set(tenantId, left);
    else this.perTenant.delete(tenantId);
    this.inAll -= 1;
  }

  private refusal(tenantId: string, whose: string, bound: number): ServiceError {
    this.warning.warn(`${bound} ${this.things} ${whose} are under way; ${JSON.stringify(tenantId)} has to wait`);
    return new ServiceError(
      'unavailable',
      `There are ${bound} ${this.things} ${whose} under way; send it again when one has ended.`,
    );
  }
}
