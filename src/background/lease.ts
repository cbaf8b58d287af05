import type { Transaction } from '../database/transaction.js';
import { forgetOwnerId, HeartbeatMonitor, newOwnerId, OWN_HEARTBEAT_TIMEOUT } from './heartbeat.js';
import type { LeaseRepository } from './lease.repository.js';

/** The right to do work that must run only once. Another process takes it after its holder dies. */
export class Lease {
  private readonly holder = newOwnerId();
  private readonly watch = new HeartbeatMonitor(this.holder);
  private heldAt = -Infinity;
  private hasLooked = false;

  constructor(
    readonly name: string,
    private readonly leases: LeaseRepository,
  ) {}

  get isKnown(): boolean {
    return this.hasLooked;
  }

  get isHeld(): boolean {
    return performance.now() - this.heldAt < OWN_HEARTBEAT_TIMEOUT;
  }

  /** Stays true until the transaction ends. */
  isHeldIn(tx: Transaction): Promise<boolean> {
    return this.leases.isHeldBy(tx, this.name, this.holder);
  }

  /** Renews it, or takes it when it is free. @throws ServiceError `unavailable` */
  async attempt(): Promise<void> {
    const begun = performance.now();
    const found = await this.leases.find(this.name);
    const holders = found === null ? [] : [{ key: found.holder, renewals: found.renewals }];
    const dead = this.watch.deadAmong(holders, begun);
    const mayTake = found === null || found.holder === this.holder || dead.has(found.holder);
    if (!mayTake) this.heldAt = -Infinity;
    else if (await this.leases.take(this.name, this.holder, found)) this.heldAt = begun;
    this.hasLooked = true;
  }

  async release(): Promise<void> {
    forgetOwnerId(this.holder);
    const isHeld = this.heldAt > -Infinity;
    this.heldAt = -Infinity;
    if (isHeld) await this.leases.release(this.name, this.holder);
  }
}
