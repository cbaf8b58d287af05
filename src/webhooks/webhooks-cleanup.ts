import { Injectable } from '@nestjs/common';
import { Clock, DAY, type Instant } from '../common/clock.js';
import { PeriodicCleanup } from '../database/periodic-cleanup.js';
import type { Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { DeliveryRepository } from './delivery.repository.js';
import { WebhookEventRepository } from './webhook-event.repository.js';
import { WebhooksOptions } from './webhooks.options.js';

/** For how long deliveries are shown that have succeeded. */
const SHOWN: Instant = 600_000_000;

/** Removes what was delivered a while ago, dead letters that are too old, what was for webhooks that are gone, and events that nobody needs. */
@Injectable()
export class WebhooksCleanup extends PeriodicCleanup {
  protected override readonly everyMs = 60_000;
  protected override readonly what = 'Old deliveries of webhooks';
  /** Up to where events have been gone through. */
  private marker = '';

  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly events: WebhookEventRepository,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
    unitOfWork: UnitOfWork,
  ) {
    super(unitOfWork);
  }

  protected override async clean(tx: Transaction): Promise<boolean> {
    const now = this.clock.now();
    const { deadLetterDays, retryTime } = this.options.limits;
    const dead = now - deadLetterDays * DAY;
    const more = [
      await this.deliveries.deleteSettled(tx, 'delivered', now - SHOWN),
      await this.deliveries.deleteSettled(tx, 'dead', dead),
      // Of a webhook that has been disabled for as long.
      await this.deliveries.deleteSettled(tx, 'waiting', dead - retryTime * 1_000_000),
      await this.deliveries.deleteOrphaned(tx),
    ];
    this.marker = await this.events.deleteUnneeded(tx, this.marker);
    return more.includes(true) || this.marker !== '';
  }
}
