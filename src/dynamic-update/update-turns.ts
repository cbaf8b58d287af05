import { Injectable } from '@nestjs/common';
import { othersFirst } from '../common/waiting/event-loop-turns.js';
import { FairLimiter } from '../common/waiting/fair-limiter.js';
import { Limiter, type Release } from '../common/waiting/limiter.js';
import type { Update } from '../dns/message/update.js';

/** A message is large from either limit on. */
const LARGE_ENTRIES = 20;
const LARGE_OCTETS = 4096;
/** Longer than clients wait. */
const LONGEST_WAIT_MS = 30_000;

/** The maximum pause between two messages of a tenant. */
const LONGEST_YIELD_MS = 5;

/** Waiting messages occupy memory: 64 KiB hold up to 1,770 records. */
const LARGE = { waiting: { perTenant: 64, inAll: 256 }, running: { perKey: 1, inAll: 2 } };
/** In entries, because one commit may join all messages of a tenant, and other changes wait 5 ms for 64 entries. */
const SMALL = { waiting: { perTenant: 1024, inAll: 4096 }, running: { perKey: 64, inAll: 128 } };
/** Minimum cost of a message, so a tenant has at most 16 messages under way. */
const LEAST_ENTRIES = 4;

export interface UpdateSize {
  readonly entries: number;
  /** Octets of RDATA. */
  readonly octets: number;
}

export function sizeOfUpdate({ prerequisites, steps }: Update): UpdateSize {
  const entries = [...prerequisites, ...steps];
  const octets = entries.reduce((sum, one) => sum + ('rdata' in one ? one.rdata.length : 0), 0);
  return { entries: entries.length, octets };
}

/**
 * Runs UPDATE messages of tenants in turn. Each tenant has a few slots, and one for a large message.
 * A free slot goes to the next waiting tenant, so a flood of one key barely delays the others.
 */
@Injectable()
export class UpdateTurns {
  private readonly large = new TurnsOfSize('large updates', LARGE);
  private readonly small = new TurnsOfSize('updates', SMALL);

  /** @throws ServiceError `unavailable` for a full or slow queue, and errors of `work` */
  run<T>({ entries, octets }: UpdateSize, tenantId: string, work: () => Promise<T>): Promise<T> {
    const isLarge = entries >= LARGE_ENTRIES || octets >= LARGE_OCTETS;
    if (isLarge) return this.large.run(tenantId, 1, work);
    return this.small.run(tenantId, Math.max(LEAST_ENTRIES, entries), work);
  }
}

class TurnsOfSize {
  private readonly room: Limiter;
  private readonly turns: FairLimiter;

  constructor(things: string, { waiting, running }: typeof SMALL) {
    this.room = Limiter.ofTenants(things, waiting);
    this.turns = new FairLimiter({ ...running, timeLimit: LONGEST_WAIT_MS });
  }

  async run<T>(tenantId: string, slots: number, work: () => Promise<T>): Promise<T> {
    const leave = this.room.take(tenantId);
    let release: Release | undefined;
    try {
      release = await this.turns.manySlots(tenantId, slots);
      return await work().finally(() => this.yieldFor(tenantId));
    } finally {
      release?.();
      leave();
    }
  }

  /**
   * Holds the slot of a busy tenant until the event loop has read other datagrams. It reads 32 per turn, and a full
   * kernel buffer drops datagrams of other tenants.
   */
  private async yieldFor(tenantId: string): Promise<void> {
    if (this.turns.isWaiting(tenantId)) await othersFirst(LONGEST_YIELD_MS);
  }
}
