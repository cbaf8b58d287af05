import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Instant } from '../../../common/clock.js';
import { nextTurn } from '../../../common/waiting/event-loop-turns.js';
import { Limiter, type Release } from '../../../common/waiting/limiter.js';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { queueScope } from './delivery-queue.js';
import { type ClaimedQueue, type DueQueue, type QueueKey, WebhookQueueRepository } from './webhook-queue.repository.js';

/** Concurrent calls per webhook and process, so that a slow target leaves room for others. */
const PER_WEBHOOK = 4;
const IN_ALL = 256;
/** Number of portions after which the search for due queues is limited to this share of time. */
const FEW_PORTIONS = 4;
const SHARE = 0.1;
/** In milliseconds. */
const LONGEST_PAUSE = 1000;

interface Picked {
  readonly queue: DueQueue;
  readonly release: Release;
}

export interface QueueTurn {
  readonly queue: ClaimedQueue;
  readonly release: Release;
}

interface ClaimTime {
  readonly now: Instant;
  readonly until: Instant;
}

/** Tenants share the call slots (ADR 50), and a webhook gets a few slots of its tenant (behaviour 19.10). */
@Injectable()
export class QueueTurns {
  private readonly ofTenants = new Limiter({ inAll: IN_ALL, perKey: 'share' });
  private readonly ofWebhooks = new Limiter({ inAll: IN_ALL, perKey: PER_WEBHOOK });

  constructor(
    private readonly queues: WebhookQueueRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async next(time: ClaimTime, signal: AbortSignal): Promise<QueueTurn[]> {
    const picked = await this.pick(time.now, signal);
    return picked.length === 0 ? [] : this.claim(picked, time);
  }

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
    // Each search finds queues of busy webhooks again, until a slot is free.
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

  /** Releases slots of queues that another process has claimed meanwhile. */
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
