import { Injectable } from '@nestjs/common';
import { type NoticeReceiver, noticeNumber, type ZoneNotice } from '../change-events.js';
import { type ChangeEntry, ChangeListener } from '../../plugins/change-listener.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DeliveryQueue, queueScope } from './queue/delivery-queue.js';
import { DeliverySender } from './delivery-sender.js';
import { asksFor, isForDomain, type Subscription } from './webhook.entity.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhooksOptions } from './webhooks.options.js';
import { groupedBy } from '../../common/grouped.js';

/** Queues changes for webhooks, without waiting for delivery. */
@Injectable()
export class WebhookListener extends ChangeListener {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly queue: DeliveryQueue,
    private readonly sender: DeliverySender,
    private readonly unitOfWork: UnitOfWork,
    private readonly options: WebhooksOptions,
  ) {
    super();
  }

  override async receive(entries: readonly ChangeEntry[]): Promise<void> {
    const wanted = await this.wantedBy(entries);
    const [first] = entries;
    if (wanted.size === 0 || first === undefined) return;
    const told = new Set([...wanted.values()].flat().flatMap((each) => each.entries));
    const made = new Map([...told].map((entry) => [entry, this.queue.outgoing(entry.number, entry)]));
    await this.unitOfWork.run(async (tx) => {
      for (const [tenantId, ofTenant] of wanted) {
        const events = ofTenant.map(({ webhookId, entries }) => ({
          webhookId,
          events: entries.flatMap((entry) => made.get(entry) ?? []),
        }));
        await this.queue.add(tx, tenantId, first.zone.id, events);
      }
    }, queueScope(first.zone.id));
    this.sender.wake();
  }

  private async wantedBy(entries: readonly ChangeEntry[]): Promise<Map<string, Told[]>> {
    const wanted = new Map<string, Told[]>();
    for (const tenantId of new Set(entries.map(({ zone }) => zone.tenantId))) {
      const own = entries.filter(({ zone }) => zone.tenantId === tenantId);
      const subscriptions = await this.webhooks.enabledOf(tenantId);
      const ofTenant = subscriptions.map((subscription) => ({
        webhookId: subscription.id,
        entries: own.filter((entry) => this.isWanted(entry, subscription)),
      }));
      const some = ofTenant.filter((each) => each.entries.length > 0);
      if (some.length > 0) wanted.set(tenantId, some);
    }
    return wanted;
  }

  /** A webhook gets matching changes since its creation. */
  private isWanted({ zone, action, at }: ChangeEntry, subscription: Subscription): boolean {
    if (at < subscription.createdAt) return false;
    return asksFor(subscription, this.options.events.actionOf(action), true) && isForDomain(subscription, zone);
  }
}

interface Told {
  readonly webhookId: string;
  readonly entries: readonly ChangeEntry[];
}

/** Queues notices about zones for webhooks that subscribe to them by name. */
@Injectable()
export class WebhookNotices implements NoticeReceiver {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly queue: DeliveryQueue,
    private readonly sender: DeliverySender,
    private readonly unitOfWork: UnitOfWork,
    private readonly options: WebhooksOptions,
  ) {}

  async tell(notices: readonly ZoneNotice[]): Promise<void> {
    for (const [tenantId, ofTenant] of groupedBy(notices, ({ zone }) => zone.tenantId)) {
      const subscriptions = await this.webhooks.enabledOf(tenantId);
      for (const each of ofTenant) {
        const wanted = subscriptions.filter((subscription) => this.isWanted(each, subscription));
        if (wanted.length > 0) await this.add(each, wanted);
      }
    }
  }

  private isWanted(notice: ZoneNotice, subscription: Subscription): boolean {
    if (notice.changedAt < subscription.createdAt) return false;
    const action = this.options.events.noticeAction(notice);
    return asksFor(subscription, action, false) && isForDomain(subscription, notice.zone);
  }

  private async add(notice: ZoneNotice, wanted: readonly Subscription[]): Promise<void> {
    const { id: zoneId, tenantId } = notice.zone;
    const events = [this.queue.outgoing(noticeNumber(notice), notice)];
    await this.unitOfWork.run(async (tx) => {
      const each = wanted.map(({ id: webhookId }) => ({ webhookId, events }));
      await this.queue.add(tx, tenantId, zoneId, each);
    }, queueScope(zoneId));
    this.sender.wake();
  }
}
