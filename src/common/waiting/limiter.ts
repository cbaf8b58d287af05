import { ThrottledLogger } from '../throttled-logger.js';
import { ServiceError } from '../service-error.js';

export interface Slots {
  readonly inAll: number;
  /**
   * Limit for one key, such as a tenant. Default: all slots. `'share'`: a key takes a slot only while more are free
   * than it holds, so one key alone gets half of the slots.
   */
  readonly perKey?: number | 'share';
  readonly things?: string;
}

export interface TenantBounds {
  readonly perTenant: number;
  readonly inAll: number;
}

/** Later calls do nothing. */
export type Release = () => void;

/** Bounds concurrent work, for each key and in total. Refuses instead of waiting. */
export class Limiter {
  private readonly warning = new ThrottledLogger();
  private readonly ofKeys = new Map<string, number>();
  private taken = 0;

  constructor(private readonly slots: Slots) {}

  static ofTenants(things: string, { perTenant, inAll }: TenantBounds): Limiter {
    return new Limiter({ things, perKey: perTenant, inAll });
  }

  get isFull(): boolean {
    return this.taken >= this.slots.inAll;
  }

  tryTake(key = ''): Release | null {
    return this.tryTakeMany(key, 1);
  }

  /** @throws ServiceError `unavailable` if no slot is free */
  take(tenantId: string): Release {
    const release = this.tryTake(tenantId);
    if (release !== null) return release;
    const { inAll, things = 'requests' } = this.slots;
    const [whose, bound] = this.isBelowItsBound(tenantId)
      ? ['of all tenants', inAll]
      : ['of this tenant', this.countOf(tenantId)];
    this.warning.warn(`${bound} ${things} ${whose} are under way; ${JSON.stringify(tenantId)} has to wait`);
    throw new ServiceError(
      'unavailable',
      `There are ${bound} ${things} ${whose} under way; try again when one has ended.`,
    );
  }

  /** A request beyond a limit gets its slots when it is alone. */
  protected tryTakeMany(key: string, count: number): Release | null {
    const fits = this.taken === 0 || this.taken + count <= this.slots.inAll;
    return this.isFull || !fits || !this.isBelowItsBound(key, count) ? null : this.occupy(key, count);
  }

  protected get count(): number {
    return this.taken;
  }

  protected countOf(key: string): number {
    return this.ofKeys.get(key) ?? 0;
  }

  protected isBelowItsBound(key: string, count = 1): boolean {
    const { inAll, perKey = inAll } = this.slots;
    const own = this.countOf(key);
    if (perKey === 'share') return own < inAll - this.taken;
    return own + count <= perKey || (own === 0 && count > perKey);
  }

  private occupy(key: string, count: number): Release {
    this.ofKeys.set(key, this.countOf(key) + count);
    this.taken += count;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.free(key, count);
    };
  }

  protected free(key: string, count: number): void {
    const left = this.countOf(key) - count;
    if (left > 0) this.ofKeys.set(key, left);
    else this.ofKeys.delete(key);
    this.taken -= count;
  }
}
