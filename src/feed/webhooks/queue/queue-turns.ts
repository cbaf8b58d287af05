import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Instant } from '../../../common/clock.js';
import { nextTurn } from '../../../common/waiting/event-loop-turns.js';
import { Limiter, type Release } from '../../../common/waiting/limiter.js';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { queueScope } from './delivery-queue.js';
import { type ClaimedQueue, type DueQueue, type QueueKey, WebhookQueueRepository } from './webhook-queue.repository.js';

/** Calls of one webhook under way in one process: a slow target leaves room for the others. */
const PER_WEBHOOK = 4;
/** Calls under way in one process. */
const IN_ALL = 256;
/** Beyond so many portions, queues that are due are looked for no more than for this share of the time. */
const FEW_PORTIONS = 4;
const SHARE = 0.1;
/** In milliseconds. */
const LONGEST_PAUSE = 1000;

/** A queue that is due, and a slot for its calls. */
interface Picked {
  readonly queue: DueQueue;
  readonly release: Release;
}

/** A queue that may be sent from, until its slot is released. */
export interface QueueTurn {
  readonly queue: ClaimedQueue;
  readonly release: Release;
}

/** From when to when a claim holds. */
interface ClaimTime {
  readonly now: Instant;
  readonly until: Instant;
}

/**
 * Says whose turn it is in this process, so that no tenant takes the turns of the others (behaviour 19.10): tenants share the
 * slots for calls (ADR 50), and a webhook takes a few of its tenant's.
 */
@Injectable()
export class QueueTurns {
  private readonly ofTenants = new Limiter({ inAll: IN_ALL, perKey: 'share' });
  private readonly ofWebhooks = new Limiter({ inAll: IN_ALL, perKey: PER_WEBHOOK });

  constructor(
    private readonly queues: WebhookQueueRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Claims some that are due. */
  async next(time: ClaimTime, signal: AbortSignal): Promise<QueueTurn[]> {
    const picked = await this.pick(time.now, signal);
    return picked.length === 0 ? [] : this.claim(picked, time);
  }

  /** Takes slots for the first that are due and may have one. */
  private async pick(now: Instant, signal: AbortSignal): Promise<Picked[]> {
    if (this.ofTenants.isFull) return [];
    const began = performance.now();
    let portions = 0;
    let picked: Picked[] = [];
    for await (const due of this.queues.due(now)) {
      portions += 1;
      picked = due.flatMap((queue) => this.slotFor(queue));
      if (picked.length > 0 || signal.aborted) break;
      await nextTurn();
    }
    // Those that were passed over have all the slots they may have, and are passed over again until one is free.
    if (portions > FEW_PORTIONS) await pause((performance.now() - began) / SHARE, signal);
    return picked;
  }

  private slotFor(queue: DueQueue): Picked[] {
    const ofWebhook = this.ofWebhooks.tryTake(queue.webhookId);
    const ofTenant = ofWebhook && this.ofTenants.tryTake(queue.tenantId);
    if (ofTenant === null) ofWebhook?.();
    if (ofWebhook === null || ofTenant === null) return [];
    const release = (): void => {
      ofWebhook();
      ofTenant();
    };
    return [{ queue, release }];
  }

  /** What another process has claimed meanwhile gives its slot back. */
  private async claim(picked: readonly Picked[], time: ClaimTime): Promise<QueueTurn[]> {
    const unclaimed = new Map(picked.map(({ queue, release }) => [keyOf(queue), release]));
    const queues = picked.map(({ queue }) => queue);
    try {
      const work = queueScope('');
      const claimed = await this.unitOfWork.run((tx) => this.queues.claim(tx, queues, randomUUID(), time), work);
      return claimed.map((queue) => {
        const release = unclaimed.get(keyOf(queue)) ?? (() => undefined);
        unclaimed.delete(keyOf(queue));
        return { queue, release };
      });
    } finally {
      for (const release of unclaimed.values()) release();
    }
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(Math.min(milliseconds, LONGEST_PAUSE), undefined, { signal }).catch(() => undefined);
}

function keyOf({ webhookId, zoneId }: QueueKey): string {
  return `${webhookId} ${zoneId}`;
}
