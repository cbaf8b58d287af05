import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Clock, type Instant } from '../../common/clock.js';
import type { Page } from '../../common/collection-query.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ChangeLimits } from '../../zones/changes/change-limits.js';
import { DeliveryQueue } from './queue/delivery-queue.js';
import { DeliverySender } from './delivery-sender.js';
import { type DeliveryFilter, DeliveryRepository, type DeliveryView } from './delivery.repository.js';
import { assertMayManageWebhooks, visibleWebhook } from './webhook-writer.js';
import type { WebhookEntity } from './webhook.entity.js';
import { WebhookRepository } from './webhook.repository.js';

/** A test event belongs to no zone. */
const OF_NO_ZONE = '';

/** Shows, tests and replays deliveries of webhooks (behaviour 19.10). */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly deliveries: DeliveryRepository,
    private readonly queue: DeliveryQueue,
    private readonly sender: DeliverySender,
    private readonly unitOfWork: UnitOfWork,
    private readonly limits: ChangeLimits,
    private readonly clock: Clock,
  ) {}

  /** Sends a test event. A disabled webhook gets it once it is enabled. Throws `over_quota` if the queue is full. */
  test(id: string, caller: Caller): Promise<DeliveryView> {
    return this.send(id, caller, async (tx, webhook, now) => {
      const test = { testId: timeOrderedUuid(now), webhookId: id, at: now };
      const wanted = { webhookId: id, events: [this.queue.outgoing(now, test)] };
      const [added] = await this.queue.add(tx, webhook.tenantId, OF_NO_ZONE, [wanted]);
      if (added === undefined)
        throw new ServiceError('over_quota', 'The queue of the webhook is full; list its deliveries.');
      return found(await this.deliveries.find(tx, id, added));
    });
  }

  async pages(
    filter: DeliveryFilter,
    caller: Caller,
  ): Promise<(marker: string, limit: number) => Promise<Page<DeliveryView>>> {
    assertMayManageWebhooks(caller);
    visibleWebhook(await this.webhooks.find(filter.webhookId), caller);
    return (marker, limit) => this.deliveries.page(filter, marker, limit);
  }

  /** Queues a dead letter again, or makes a waiting delivery due immediately. */
  replay(id: string, deliveryId: string, caller: Caller): Promise<DeliveryView> {
    return this.send(id, caller, async (tx, _, now) => {
      const { zoneId } = found(await this.deliveries.find(tx, id, deliveryId));
      if (!(await this.queue.replay(tx, id, { id: deliveryId, zoneId }, now))) throw noSuchDelivery();
      return found(await this.deliveries.find(tx, id, deliveryId));
    });
  }

  /** Returns the number of dead letters that it queues again. */
  replayDead(id: string, caller: Caller): Promise<number> {
    return this.send(id, caller, async (tx, _, now, weigh) => {
      const replayed = await this.queue.replayDead(tx, id, now);
      weigh(replayed);
      return replayed;
    });
  }

  /** Each call counts as a change of the tenant (behaviour 8.7). */
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

function found(delivery: DeliveryView | undefined): DeliveryView {
  if (delivery !== undefined) return delivery;
  throw noSuchDelivery();
}

function noSuchDelivery(): ServiceError {
  return new ServiceError('delivery_not_found', 'Delivery not found; list the deliveries of the webhook.');
}
