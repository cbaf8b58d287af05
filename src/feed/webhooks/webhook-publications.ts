import { Injectable } from '@nestjs/common';
import { groupedBy } from '../../common/grouped.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ChangeEvents } from '../change-events.js';
import { type PublicationNotice, publicationNumber, type PublicationReceiver } from '../publication-notice.js';
import { DeliverySender } from './delivery-sender.js';
import { DeliveryQueue, queueScope } from './queue/delivery-queue.js';
import { asksFor, isForDomain, type Subscription } from './subscription.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhooksOptions } from './webhooks.options.js';

/** Puts news of publication into the queues of the webhooks that ask for them by name. */
@Injectable()
export class WebhookPublications implements PublicationReceiver {
  private readonly events: ChangeEvents;

  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly queue: DeliveryQueue,
    private readonly sender: DeliverySender,
    private readonly unitOfWork: UnitOfWork,
    { events }: WebhooksOptions,
  ) {
    this.events = events;
  }

  async tell(news: readonly PublicationNotice[]): Promise<void> {
    for (const [tenantId, ofTenant] of groupedBy(news, ({ zone }) => zone.tenantId)) {
      const subscriptions = await this.webhooks.enabledOf(tenantId);
      for (const each of ofTenant) {
        const wanted = subscriptions.filter((subscription) => this.isWanted(each, subscription));
        if (wanted.length > 0) await this.add(each, wanted);
      }
    }
  }

  private isWanted(news: PublicationNotice, subscription: Subscription): boolean {
    if (news.changedAt < subscription.createdAt) return false;
    return asksFor(subscription, this.events.publicationAction(news), false) && isForDomain(subscription, news.zone);
  }

  private async add(news: PublicationNotice, wanted: readonly Subscription[]): Promise<void> {
    const { id: zoneId, tenantId } = news.zone;
    const events = [this.queue.outgoing(publicationNumber(news), news)];
    await this.unitOfWork.run(async (tx) => {
      const each = wanted.map(({ id: webhookId }) => ({ webhookId, events }));
      await this.queue.add(tx, tenantId, zoneId, each);
    }, queueScope(zoneId));
    this.sender.wake();
  }
}
