import type { WeighedDeliveries } from './delivery.repository.js';

/** What one webhook has. */
interface Used {
  waiting: number;
  dead: number;
  /** Of both. */
  octets: number;
}

/** What the webhooks of a tenant have in their queues, which goes along with what is added. */
export class QueueUsage {
  private readonly used = new Map<string, Used>();
  private octets = 0;

  /** @param most octets that the tenant may have */
  constructor(
    deliveries: readonly WeighedDeliveries[],
    private readonly most: number,
  ) {
    for (const { webhookId, status, total, octets } of deliveries) {
      this.add(webhookId, octets);
      if (status === 'waiting') this.of(webhookId).waiting = total;
      if (status === 'dead') this.of(webhookId).dead = total;
    }
  }

  of(webhookId: string): Used {
    const used = this.used.get(webhookId) ?? { waiting: 0, dead: 0, octets: 0 };
    this.used.set(webhookId, used);
    return used;
  }

  /** Whether a webhook may have so many octets more: only while more are free than it has, so that some are left for others. */
  hasRoom(webhookId: string, octets: number): boolean {
    return this.of(webhookId).octets + octets <= this.most - this.octets;
  }

  /** A webhook has more octets, or fewer. */
  add(webhookId: string, octets: number): void {
    this.of(webhookId).octets += octets;
    this.octets += octets;
  }
}
