import type { DeliveryStatus } from '../delivery.entity.js';

/** What changes in the sums of a webhook. */
export interface WebhookChange {
  waiting: number;
  dead: number;
  octets: number;
}

/** What a transaction changes in the sums of webhooks and tenants, which are written once, at its end. */
export class UsageChange {
  readonly webhooks = new Map<string, WebhookChange>();
  readonly tenants = new Map<string, number>();

  /** So many deliveries have come to a status, or have left it where the numbers are negative; `octets` are of all of them. */
  count(webhookId: string, status: DeliveryStatus, deliveries: number, octets: number): void {
    if (status === 'delivered') return;
    const change = this.webhooks.get(webhookId) ?? { waiting: 0, dead: 0, octets: 0 };
    change[status] += deliveries;
    change.octets += octets;
    this.webhooks.set(webhookId, change);
  }

  /** Counts octets that are stored for a tenant. */
  weigh(tenantId: string, octets: number): void {
    this.tenants.set(tenantId, (this.tenants.get(tenantId) ?? 0) + octets);
  }
}
