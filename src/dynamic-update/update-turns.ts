import { Injectable } from '@nestjs/common';
import { othersFirst } from '../common/waiting/event-loop-turns.js';
import { FairLimiter } from '../common/waiting/fair-limiter.js';
import { Limiter } from '../common/waiting/limiter.js';
import type { Update } from '../dns/message/update.js';

/** From so many prerequisites and updates on a message is large, or from so many octets of RDATA on. */
const LARGE_ENTRIES = 20;
const LARGE_OCTETS = 4096;
/** In milliseconds; clients give up sooner. */
const LONGEST_WAIT_MS = 30_000;

/** In milliseconds, between one message of a tenant and its next one. */
const LONGEST_YIELD_MS = 5;

/** A message that waits is in memory with its records: 64 KiB of a large one hold 1,770. */
const LARGE = { waiting: { perTenant: 64, inAll: 256 }, running: { perKey: 1, inAll: 2 } };
/** So many share one commit, which other tenants' changes may have to wait for. */
const SMALL = { waiting: { perTenant: 1024, inAll: 4096 }, running: { perKey: 16, inAll: 32 } };

/** How much work a message is. */
export interface UpdateSize {
  readonly entries: number;
  /** Of RDATA. */
  readonly octets: number;
}

export function sizeOfUpdate({ prerequisites, steps }: Update): UpdateSize {
  const entries = [...prerequisites, ...steps];
  const octets = entries.reduce((sum, one) => sum + ('rdata' in one ? one.rdata.length : 0), 0);
  return { entries: entries.length, octets };
}

/**
 * Runs the UPDATE messages of tenants in turn: each tenant has a few under way, one of them large, and a slot that becomes free
 * goes to each waiting tenant in turn. Other tenants wait for a few messages, however many one key sends.
 */
@Injectable()
export class UpdateTurns {
  private readonly large = new TurnsOfSize('large updates', LARGE);
  private readonly small = new TurnsOfSize('updates', SMALL);

  /** @throws ServiceError `unavailable` where too many wait, or too long, and what `work` throws */
  run<T>({ entries, octets }: UpdateSize, tenantId: string, work: () => Promise<T>): Promise<T> {
    const isLarge = entries >= LARGE_ENTRIES || octets >= LARGE_OCTETS;
    return (isLarge ? this.large : this.small).run(tenantId, work);
  }
}

class TurnsOfSize {
  private readonly room: Limiter;
  private readonly turns: FairLimiter;

  constructor(things: string, { waiting, running }: typeof SMALL) {
    this.room = Limiter.ofTenants(things, waiting);
    this.turns = new FairLimiter({ ...running, timeLimit: LONGEST_WAIT_MS });
  }

  async run<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    const leave = this.room.take(tenantId);
    try {
      return await this.turns.run(() => work().finally(() => this.yieldFor(tenantId)), tenantId);
    } finally {
      leave();
    }
  }

  /**
   * Keeps the slot of a tenant with more messages than slots until the event loop has read and answered whatever else has come:
   * it reads 32 datagrams a turn, and the kernel drops those of other tenants once its buffer is full.
   */
  private async yieldFor(tenantId: string): Promise<void> {
    if (this.turns.isWaiting(tenantId)) await othersFirst(LONGEST_YIELD_MS);
  }
}
