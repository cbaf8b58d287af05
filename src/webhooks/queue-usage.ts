import type { WeighedDeliveries, WeighedEvent } from './delivery.repository.js';

/** What one webhook has. */
interface Used {
  waiting: number;
  dead: number;
  /** Of both. */
  octets: number;
}

interface Weighed {
  readonly deliveries: readonly WeighedDeliveries[];
  /** Of their events, each once. */
  readonly octets: number;
}

/** What the webhooks of a tenant have in their queues, which goes along with what is added. */
export class QueueUsage {
  private readonly used = new Map<string, Used>();
  private readonly stored = new Set<string>();
  private octets: number;

  /** @param most octets that the tenant may have */
  constructor(
    readonly tenantId: string,
    { deliveries, octets: ofAll }: Weighed,
    private readonly most: number,
  ) {
    this.octets = ofAll;
    for (const { webhookId, status, total, octets } of deliveries) {
      this.of(webhookId).octets += octets;
      if (status === 'waiting') this.of(webhookId).waiting = total;
      if (status === 'dead') this.of(webhookId).dead = total;
    }
  }

  of(webhookId: string): Used {
    const used = this.used.get(webhookId) ?? { waiting: 0, dead: 0, octets: 0 };
    this.used.set(webhookId, used);
    return used;
  }

  /**
   * Whether a webhook may have an event more: only while more octets are free than it has, so that some are left for others. What
   * is stored for another takes none of those that are free.
   */
  hasRoom(webhookId: string, event: WeighedEvent): boolean {
    return this.of(webhookId).octets + this.costOf(event) <= this.most - this.octets;
  }

  /** A webhook has an event more. */
  take(webhookId: string, event: WeighedEvent): void {
    this.of(webhookId).octets += event.octets;
    this.octets += this.costOf(event);
  }

  /** @param unneeded octets of what was given back that no other webhook needs */
  giveBack(webhookId: string, deliveries: readonly WeighedEvent[], unneeded: number): void {
    const used = this.of(webhookId);
    used.dead -= deliveries.length;
    used.octets -= deliveries.reduce((sum, { octets }) => sum + octets, 0);
    this.octets -= unneeded;
  }

  /** Whether an event has been stored for another webhook in this transaction. */
  hasStored(eventId: string): boolean {
    return this.stored.has(eventId);
  }

  noteStored(eventIds: Iterable<string>): void {
    for (const eventId of eventIds) this.stored.add(eventId);
  }

  private costOf({ eventId, octets }: WeighedEvent): number {
    return this.hasStored(eventId) ? 0 : octets;
  }
}
