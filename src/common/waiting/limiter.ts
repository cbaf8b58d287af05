import { RareWarning } from '../rare-warning.js';
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
  private readonly warning = new RareWarning();
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
    return this.isFull || !this.isBelowItsBound(key) ? null : this.occupy(key);
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

  protected get count(): number {
    return this.taken;
  }

  protected countOf(key: string): number {
    return this.ofKeys.get(key) ?? 0;
  }

  protected isBelowItsBound(key: string): boolean {
    const { inAll, perKey = inAll } = this.slots;
    return this.countOf(key) < (perKey === 'share' ? inAll - this.taken : perKey);
  }

  private occupy(key: string): Release {
    this.ofKeys.set(key, this.countOf(key) + 1);
    this.taken += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.free(key);
    };
  }

  /** Whoever waits for slots may get this one. */
  protected free(key: string): void {
    const left = this.countOf(key) - 1;
    if (left > 0) this.ofKeys.set(key, left);
    else this.ofKeys.delete(key);
    this.taken -= 1;
  }
}
