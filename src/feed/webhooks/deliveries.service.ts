import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock, type Instant } from '../../common/clock.js';
import type { Page } from '../../common/page.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ChangeLimits } from '../../zones/changes/change-limits.js';
import { DeliveryLedger } from './queue/delivery-ledger.js';
import { DeliveryQueue } from './queue/delivery-queue.js';
import { DeliverySender } from './delivery-sender.js';
import { type DeliveryFilter, DeliveryRepository, type DeliveryView } from './delivery.repository.js';
import { assertMayManageWebhooks, visibleWebhook } from './managed-webhooks.js';
import { UsageChange } from './queue/usage-change.js';
import { WebhookQueueRepository } from './queue/webhook-queue.repository.js';
import type { WebhookEntity } from './webhook.entity.js';
import { WebhookRepository } from './webhook.repository.js';

/** A test event belongs to no zone. */
const OF_NO_ZONE = '';

/** What webhooks were sent and are to be sent, for the tenants whose they are (behaviour 19.10). */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly ledger: DeliveryLedger,
    private readonly queues: WebhookQueueRepository,
    private readonly queue: DeliveryQueue,
    private readonly sender: DeliverySender,
    private readonly unitOfWork: UnitOfWork,
    private readonly limits: ChangeLimits,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a webhook an event that tells of nothing, also where it is disabled: then once it is enabled.
   * @throws ServiceError `webhook_not_found`, `rate_limited`, `over_quota` where its queue is full
   */
  test(id: string, caller: Caller): Promise<DeliveryView> {
    return this.send(id, caller, async (tx, webhook, now) => {
      const test = { testId: timeOrderedUuid(now), webhookId: id, at: now };
      const wanted = { webhookId: id, events: [this.queue.outgoing(now, test)] };
      const [added] = await this.queue.add(tx, webhook.tenantId, OF_NO_ZONE, [wanted]);
      if (added === undefined)
        throw new ServiceError('over_quota', 'The queue of the webhook is full; see what waits.');
      return found(await this.deliveries.find(tx, id, added));
    });
  }

  /** @throws ServiceError `webhook_not_found` */
  async pages(
    filter: DeliveryFilter,
    caller: Caller,
  ): Promise<(marker: string, limit: number) => Promise<Page<DeliveryView>>> {
    assertMayManageWebhooks(caller);
    visibleWebhook(await this.webhooks.find(filter.webhookId), caller);
    return (marker, limit) => this.deliveries.page(filter, marker, limit);
  }

  /**
   * Lets a dead letter wait as if it were new, and makes what waits due at once.
   * @throws ServiceError `webhook_not_found`, `delivery_not_found`, `rate_limited`
   */
  replay(id: string, deliveryId: string, caller: Caller): Promise<DeliveryView> {
    return this.send(id, caller, async (tx, _, now) => {
      const { zoneId } = found(await this.deliveries.find(tx, id, deliveryId));
      await this.queues.hasten(tx, { webhookId: id, zoneId }, now);
      const change = new UsageChange();
      const isReplayed = await this.ledger.replay(tx, change, deliveryId, this.queue.retryUntil(now), now);
      if (!isReplayed) throw noSuchDelivery();
      await this.ledger.write(tx, change);
      return found(await this.deliveries.find(tx, id, deliveryId));
    });
  }

  /**
   * Lets all dead letters wait as if they were new. Returns how many there were.
   * @throws ServiceError `webhook_not_found`, `rate_limited`
   */
  replayDead(id: string, caller: Caller): Promise<number> {
    return this.send(id, caller, async (tx, _, now, weigh) => {
      const change = new UsageChange();
      const zones = await this.ledger.replayDead(tx, change, id, this.queue.retryUntil(now), now);
      await this.queues.hastenSome(tx, id, new Set(zones), now);
      await this.ledger.write(tx, change);
      weigh(zones.length);
      return zones.length;
    });
  }

  /** Each call that a tenant asks for is one of its changes (behaviour 8.7). */
  private async send<T>(
    id: string,
    caller: Caller,
    work: (tx: Transaction, webhook: WebhookEntity, now: Instant, weigh: (weight: number) => void) => Promise<T>,
  ): Promise<T> {
    assertMayManageWebhooks(caller);
    const result = await this.limits.run(caller.tenantId, (weigh) =>
      this.unitOfWork.run(async (tx) => {
        const webhook = visibleWebhook(await this.webhooks.findIn(tx, id), caller);
        return work(tx, webhook, this.clock.now(), weigh);
      }),
    );
    this.sender.wake();
    return result;
  }
}

/** @throws ServiceError `delivery_not_found` */
function found(delivery: DeliveryView | undefined): DeliveryView {
  if (delivery !== undefined) return delivery;
  throw noSuchDelivery();
}

function noSuchDelivery(): ServiceError {
  return new ServiceError('delivery_not_found', 'The webhook has no such dead letter; list its deliveries.');
}
