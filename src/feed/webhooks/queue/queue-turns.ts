import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Instant } from '../../../common/clock.js';
import { nextTurn } from '../../../common/waiting/event-loop-turns.js';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { CallPlaces } from '../calls/call-places.js';
import { laneOf } from './delivery-queue.js';
import { type ClaimedQueue, type DueQueue, type QueueKey, WebhookQueueRepository } from './webhook-queue.repository.js';

/** Beyond so many portions, queues that are due are looked for no more than for this share of the time. */
const FEW_PORTIONS = 4;
const SHARE = 0.1;
/** In milliseconds. */
const LONGEST_PAUSE = 1000;

/** From when to when a claim holds. */
interface ClaimTime {
  readonly now: Instant;
  readonly until: Instant;
}

/** Says whose turn it is in this process, so that no tenant takes the turns of the others (behaviour 19.10). */
@Injectable()
export class QueueTurns {
  private readonly places = new CallPlaces();
  private readonly stopping = new AbortController();

  constructor(
    private readonly queues: WebhookQueueRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Claims some that are due, each of which has a place until `end`. */
  async next(time: ClaimTime): Promise<ClaimedQueue[]> {
    const picked = await this.pick(time.now);
    return picked.length === 0 ? [] : this.claim(picked, time);
  }

  end(queue: DueQueue): void {
    this.places.giveBack(queue);
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Takes places for the first that are due and may have one. */
  private async pick(now: Instant): Promise<DueQueue[]> {
    if (this.places.areAllTaken) return [];
    const began = performance.now();
    let portions = 0;
    let picked: DueQueue[] = [];
    for await (const due of this.queues.due(now)) {
      portions += 1;
      picked = due.filter((queue) => this.places.take(queue));
      if (picked.length > 0 || this.stopping.signal.aborted) break;
      await nextTurn();
    }
    // Those that were passed over have all the places they may have, and are passed over again until one is free.
    if (portions > FEW_PORTIONS) await this.pause((performance.now() - began) / SHARE);
    return picked;
  }

  private async pause(milliseconds: number): Promise<void> {
    const { signal } = this.stopping;
    await delay(Math.min(milliseconds, LONGEST_PAUSE), undefined, { signal }).catch(() => undefined);
  }

  /** What another process has claimed meanwhile gives its place back. */
  private async claim(picked: readonly DueQueue[], time: ClaimTime): Promise<ClaimedQueue[]> {
    const unclaimed = new Map(picked.map((queue) => [keyOf(queue), queue]));
    try {
      const work = laneOf('');
      const claimed = await this.unitOfWork.run((tx) => this.queues.claim(tx, picked, randomUUID(), time), work);
      for (const queue of claimed) unclaimed.delete(keyOf(queue));
      return claimed;
    } finally {
      for (const queue of unclaimed.values()) this.places.giveBack(queue);
    }
  }
}

function keyOf({ webhookId, zoneId }: QueueKey): string {
  return `${webhookId} ${zoneId}`;
}
