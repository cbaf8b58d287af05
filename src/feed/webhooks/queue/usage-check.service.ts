import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { type TenantMismatch, UsageCheckRepository, type WebhookMismatch } from './usage-check.repository.js';

/** A sum that is not what counting says. */
export interface UsageMismatch {
  readonly counter: 'webhook_usage.waiting' | 'webhook_usage.dead' | 'webhook_usage.octets' | 'webhook_tenants.octets';
  /** The id of the webhook or tenant. */
  readonly key: string;
  readonly stored: number;
  readonly counted: number;
}

/** Whether the sums by which queues of webhooks are bounded are what counting says (`zonewright check`). */
@Injectable()
export class UsageCheckService {
  constructor(
    private readonly usage: UsageCheckRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Looks, and with `isRepairing` counts again what is wrong. */
  async *check(isRepairing: boolean): AsyncGenerator<UsageMismatch> {
    for await (const webhooks of this.usage.wrongWebhooks()) {
      if (isRepairing) await this.repairWebhooks(webhooks);
      yield* webhooks.flatMap(ofWebhook);
    }
    for await (const tenants of this.usage.wrongTenants()) {
      if (isRepairing) await this.repairTenants(tenants);
      yield* tenants.map(ofTenant);
    }
  }

  private async repairWebhooks(webhooks: readonly WebhookMismatch[]): Promise<void> {
    for (const { webhookId } of webhooks) await this.unitOfWork.run((tx) => this.usage.recountWebhook(tx, webhookId));
  }

  private async repairTenants(tenants: readonly TenantMismatch[]): Promise<void> {
    for (const { tenantId } of tenants) await this.unitOfWork.run((tx) => this.usage.recountTenant(tx, tenantId));
  }
}

function ofWebhook(mismatch: WebhookMismatch): UsageMismatch[] {
  const { webhookId: key, waiting, countedWaiting, dead, countedDead, octets, countedOctets } = mismatch;
  const all: UsageMismatch[] = [
    { counter: 'webhook_usage.waiting', key, stored: waiting, counted: countedWaiting },
    { counter: 'webhook_usage.dead', key, stored: dead, counted: countedDead },
    { counter: 'webhook_usage.octets', key, stored: octets, counted: countedOctets },
  ];
  return all.filter(({ stored, counted }) => stored !== counted);
}

function ofTenant({ tenantId, octets, countedOctets }: TenantMismatch): UsageMismatch {
  return { counter: 'webhook_tenants.octets', key: tenantId, stored: octets, counted: countedOctets };
}
