import { FairPlaces } from '../../../common/waiting/fair-places.js';
import type { DueQueue, QueueKey } from '../queue/webhook-queue.repository.js';

/** Calls of one webhook under way in one process: a slow target leaves room for the others. */
const PER_WEBHOOK = 4;
/** Calls under way in one process. */
const IN_ALL = 256;

/** Who may have how many calls under way: tenants share the places (ADR 52), and a webhook takes a few of its tenant's. */
export class CallPlaces {
  private readonly places = new FairPlaces(IN_ALL);
  private readonly ofWebhooks = new Map<string, number>();

  get areAllTaken(): boolean {
    return this.places.areAllTaken;
  }

  /** Takes a place; `false` where the webhook or its tenant has as many as it may. */
  take({ webhookId, tenantId }: DueQueue): boolean {
    const has = this.ofWebhooks.get(webhookId) ?? 0;
    if (has >= PER_WEBHOOK || !this.places.take(tenantId)) return false;
    this.ofWebhooks.set(webhookId, has + 1);
    return true;
  }

  giveBack({ webhookId, tenantId }: Pick<DueQueue, 'tenantId' | keyof QueueKey>): void {
    this.places.giveBack(tenantId);
    const left = (this.ofWebhooks.get(webhookId) ?? 0) - 1;
    if (left > 0) this.ofWebhooks.set(webhookId, left);
    else this.ofWebhooks.delete(webhookId);
  }
}
