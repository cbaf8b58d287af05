import { Injectable } from '@nestjs/common';
import type { ChangeEvents } from '../change-events.js';
import { type ChangeEntry, ChangeListener } from '../listeners/change-listener.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DeliveryQueue, type Outgoing, queueScope } from './queue/delivery-queue.js';
import { DeliverySender } from './delivery-sender.js';
import { asksFor, isForDomain, type Subscription } from './subscription.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhooksOptions } from './webhooks.options.js';

/** Puts changes into the queues of the webhooks that are to be told of them; sending them is not waited for. */
@Injectable()
export class WebhookListener extends ChangeListener {
  private readonly events: ChangeEvents;

  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly queue: DeliveryQueue,
    private readonly sender: DeliverySender,
    private readonly unitOfWork: UnitOfWork,
    { events }: WebhooksOptions,
  ) {
    super();
    this.events = events;
  }

  override async receive(entries: readonly ChangeEntry[]): Promise<void> {
    const wanted = await this.wantedBy(entries);
    const [first] = entries;
    if (wanted.size === 0 || first === undefined) return;
    const made = once((entry) => this.queue.outgoing(entry.number, entry));
    await this.unitOfWork.run(async (tx) => {
      for (const [tenantId, ofTenant] of wanted) {
        const events = ofTenant.map(({ webhookId, entries }) => ({ webhookId, events: entries.map(made) }));
        await this.queue.add(tx, tenantId, first.zone.id, events);
      }
    }, queueScope(first.zone.id));
    this.sender.wake();
  }

  /** The entries that each webhook of their owners is to be told, where there are any. */
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

  /** A webhook is told of what has happened since it was made, as far as it asks for it. */
  private isWanted({ zone, action, at }: ChangeEntry, subscription: Subscription): boolean {
    if (at < subscription.createdAt) return false;
    return asksFor(subscription, this.events.actionOf(action), true) && isForDomain(subscription, zone);
  }
}

interface Told {
  readonly webhookId: string;
  readonly entries: readonly ChangeEntry[];
}

/** Makes something of each entry, and the same again for another webhook. */
function once(make: (entry: ChangeEntry) => Outgoing): (entry: ChangeEntry) => Outgoing {
  const made = new Map<ChangeEntry, Outgoing>();
  return (entry) => {
    const event = made.get(entry) ?? make(entry);
    made.set(entry, event);
    return event;
  };
}
