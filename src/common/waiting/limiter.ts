import { ThrottledLogger } from '../throttled-logger.js';
import { ServiceError } from '../service-error.js';

/** How many slots there are in one process. */
export interface Slots {
  readonly inAll: number;
  /**
   * Of one key, such as a tenant; all of them unless it is said. `'share'`: a key takes one only while more are free than it has.
   * One alone has half of them, and the next key has as many as the first where both want all.
   */
  readonly perKey?: number | 'share';
  /** What takes slots, in words for messages: `imports`. */
  readonly things?: string;
}

/** The slots of one tenant, and those of all. */
export interface TenantBounds {
  readonly perTenant: number;
  readonly inAll: number;
}

/** Gives a slot back; only its first call counts. */
export type Release = () => void;

/** Bounds how much is under way at once, so that one key leaves room for the others. Whoever finds no slot does not wait. */
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

  /** Takes a slot; `null` where none is free for the key. */
  tryTake(key = ''): Release | null {
    return this.tryTakeMany(key, 1);
  }

  /**
   * The same for a tenant that is told why there is none.
   * @throws ServiceError `unavailable`
   */
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

  /** The same for several slots. More than there are for a key, or in all, are given to one that is alone with the limiter. */
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

  /** Whoever waits for slots may get these. */
  protected free(key: string, count: number): void {
    const left = this.countOf(key) - count;
    if (left > 0) this.ofKeys.set(key, left);
    else this.ofKeys.delete(key);
    this.taken -= count;
  }
}
