import { forgetHolder, isGone, newHolder } from './process-holder.js';
import type { LeaseEntity } from './lease.entity.js';
import type { LeaseRepository } from './lease.repository.js';

/** How often it is renewed, or looked at by those who wait for it, in milliseconds. */
export const LEASE_INTERVAL = 3000;
/** A holder that has not renewed it for so long has lost it. Measured by each process itself: clocks need not agree. */
const LEASE_TIME = 9000;
/** The holder itself gives up before others may take it. */
const OWN_LEASE_TIME = 7000;

/** The right of one process to do what must be done only once; another takes it when the holder is gone. */
export class Lease {
  /** Tells this process from all others, and where to look whether it lives. */
  readonly holder = newHolder();
  private found: Pick<LeaseEntity, 'holder' | 'renewals'> | null = null;
  private unchangedSince = -Infinity;
  private isFirstLook = true;

  constructor(
    readonly name: string,
    private readonly leases: LeaseRepository,
  ) {}

  /** Whether this process may act on it at this moment. */
  get isHeld(): boolean {
    return this.found?.holder === this.holder && performance.now() - this.unchangedSince < OWN_LEASE_TIME;
  }

  /**
   * Renews it, or takes it when it is free.
   * @throws ServiceError `unavailable`
   */
  async attempt(): Promise<void> {
    const begun = performance.now();
    const found = await this.leases.find(this.name);
    const isChanged = found?.holder !== this.found?.holder || found?.renewals !== this.found?.renewals;
    if (isChanged) this.note(found, begun);
    if (found === null || this.mayTake(found, begun)) {
      const taken = await this.leases.take(this.name, this.holder, found);
      if (taken !== null) this.note(taken, begun);
    }
    this.isFirstLook = false;
  }

  async release(): Promise<void> {
    forgetHolder(this.holder);
    if (this.found?.holder !== this.holder) return;
    this.found = null;
    await this.leases.release(this.name, this.holder);
  }

  /** When this process starts again on the same machine, it need not wait for what it was before. */
  private mayTake({ holder }: Pick<LeaseEntity, 'holder'>, now: number): boolean {
    if (holder === this.holder || now - this.unchangedSince >= LEASE_TIME) return true;
    return this.isFirstLook && isGone(holder);
  }

  private note(found: Pick<LeaseEntity, 'holder' | 'renewals'> | null, at: number): void {
    this.found = found;
    this.unchangedSince = at;
  }
}
