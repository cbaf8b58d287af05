import type { WeighedEvent } from '../delivery.repository.js';
import type { WebhookUsage } from './webhook-usage.repository.js';

type Used = { -readonly [Sum in 'waiting' | 'dead' | 'octets']: WebhookUsage[Sum] };

interface Stored {
  readonly webhooks: readonly WebhookUsage[];
  /** Of the events of all of them, each once. */
  readonly octets: number;
}

/** What the webhooks of a tenant have in their queues, which goes along with what is added. */
export class QueueUsage {
  private readonly used: ReadonlyMap<string, Used>;
  private readonly stored = new Set<string>();
  private octets: number;

  /** @param most octets that the tenant may have */
  constructor(
    { webhooks, octets: ofAll }: Stored,
    private readonly most: number,
  ) {
    this.octets = ofAll;
    this.used = new Map(webhooks.map(({ webhookId, waiting, dead, octets }) => [webhookId, { waiting, dead, octets }]));
  }

  /** `undefined`: there is no such webhook any more. */
  of(webhookId: string): Used | undefined {
    return this.used.get(webhookId);
  }

  /**
   * Whether a webhook may have an event more: only while more octets are free than it has, so that some are left for others. What
   * is stored for another takes none of those that are free.
   */
  hasRoom(used: Used, event: WeighedEvent): boolean {
    return used.octets + this.costOf(event) <= this.most - this.octets;
  }

  /** A webhook has an event more. */
  take(used: Used, as: 'waiting' | 'dead', event: WeighedEvent): void {
    used[as] += 1;
    used.octets += event.octets;
    this.octets += this.costOf(event);
  }

  /** Dead letters of a webhook are gone, with `unneeded` octets of what was stored for them. */
  giveBack(used: Used, dead: readonly WeighedEvent[], unneeded: number): void {
    used.dead -= dead.length;
    used.octets -= dead.reduce((sum, { octets }) => sum + octets, 0);
    this.octets -= unneeded;
  }

  /** Whether an event has been stored for another webhook in this transaction. */
  hasStored(eventId: string): boolean {
    return this.stored.has(eventId);
  }

  recordStored(eventIds: Iterable<string>): void {
    for (const eventId of eventIds) this.stored.add(eventId);
  }

  private costOf({ eventId, octets }: WeighedEvent): number {
    return this.hasStored(eventId) ? 0 : octets;
  }
}
