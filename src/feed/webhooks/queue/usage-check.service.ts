import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../database/unit-of-work.js';
import { Reads } from '../../../database/reads.js';
import { Statement } from '../../../database/statements/statement.js';
import type { Transaction } from '../../../database/transaction.js';
import type { WebhookTenantEntity, WebhookUsageEntity } from './webhook-queue.entity.js';

export interface WebhookMismatch extends Omit<WebhookUsageEntity, 'deleted'> {
  readonly countedWaiting: number;
  readonly countedDead: number;
  readonly countedOctets: number;
}

export interface TenantMismatch extends WebhookTenantEntity {
  readonly countedOctets: number;
}

const SUMS = ['waiting', 'dead', 'octets'] as const;
const COUNTED = {
  waiting: "COUNT(CASE WHEN status = 'waiting' THEN 1 END)",
  dead: "COUNT(CASE WHEN status = 'dead' THEN 1 END)",
  octets: "COALESCE(SUM(CASE WHEN status = 'delivered' THEN 0 ELSE octets END), 0)",
};
const sumOf = (column: string, name: string): string => `CAST(SUM(${column}) AS bigint) AS "${name}"`;
const counted = (sum: string): string => `counted${sum.slice(0, 1).toUpperCase()}${sum.slice(1)}`;

/** Exclusive start, inclusive end. */
const inPortion = (key: string): string => `${key} > ? AND ${key} <= ?`;

/** This statement and the next take the bounds twice. */
const WRONG_WEBHOOKS = new Statement<WebhookMismatch>(
  `SELECT * FROM (SELECT webhook_id AS "webhookId",` +
    ` ${SUMS.flatMap((sum) => [sumOf(sum, sum), sumOf(`counted_${sum}`, counted(sum))]).join(', ')} FROM` +
    ` (SELECT webhook_id, ${SUMS.map((sum) => `${sum}, 0 AS counted_${sum}`).join(', ')} FROM webhook_usage WHERE ${inPortion('webhook_id')}` +
    ` UNION ALL SELECT webhook_id, ${SUMS.map((sum) => `0, ${COUNTED[sum]}`).join(', ')} FROM webhook_deliveries` +
    ` WHERE ${inPortion('webhook_id')} GROUP BY webhook_id) c GROUP BY webhook_id) s` +
    ` WHERE ${SUMS.map((sum) => `${sum} <> "${counted(sum)}"`).join(' OR ')} ORDER BY "webhookId"`,
);
const WRONG_TENANTS = new Statement<TenantMismatch>(
  `SELECT * FROM (SELECT tenant_id AS "tenantId", ${sumOf('octets', 'octets')}, ${sumOf('counted', 'countedOctets')} FROM` +
    ` (SELECT tenant_id, octets, 0 AS counted FROM webhook_tenants WHERE ${inPortion('tenant_id')}` +
    ` UNION ALL SELECT tenant_id, 0, SUM(octets) FROM webhook_events WHERE ${inPortion('tenant_id')}` +
    ' GROUP BY tenant_id) c GROUP BY tenant_id) s' +
    ' WHERE octets <> "countedOctets" ORDER BY "tenantId"',
);

// Locks the counter before counting, so that concurrent writers wait.
const HOLD_WEBHOOK = new Statement(
  'INSERT INTO webhook_usage (webhook_id) VALUES (?) ON CONFLICT (webhook_id) DO UPDATE SET webhook_id = excluded.webhook_id',
);
const RECOUNT_WEBHOOK = new Statement(
  `UPDATE webhook_usage SET (${SUMS.join(', ')}) =` +
    ` (SELECT ${SUMS.map((sum) => COUNTED[sum]).join(', ')} FROM webhook_deliveries WHERE webhook_id = ?),` +
    ' deleted = CASE WHEN EXISTS (SELECT 1 FROM webhooks WHERE id = ?) THEN 0 ELSE 1 END WHERE webhook_id = ?',
);
const HOLD_TENANT = new Statement(
  'INSERT INTO webhook_tenants (tenant_id) VALUES (?) ON CONFLICT (tenant_id) DO UPDATE SET tenant_id = excluded.tenant_id',
);
const RECOUNT_TENANT = new Statement(
  'UPDATE webhook_tenants SET octets = (SELECT COALESCE(SUM(octets), 0) FROM webhook_events WHERE tenant_id = ?)' +
    ' WHERE tenant_id = ?',
);

const WEBHOOKS_END = portionEnd('webhook_deliveries', 'webhook_id');
const TENANTS_END = portionEnd('webhook_events', 'tenant_id');
/** Minimum rows per statement; a webhook or tenant is never split. */
const ROWS_AT_ONCE = 5000;
/** Before and after every key. */
const START = '';
const END = '\u{10ffff}';

/** Compares the usage counters with the stored rows. Scans all rows, for a command. */
@Injectable()
export class UsageCheckRepository {
  constructor(private readonly reads: Reads) {}

  wrongWebhooks(): AsyncGenerator<WebhookMismatch[]> {
    return this.inBatches(WEBHOOKS_END, WRONG_WEBHOOKS);
  }

  wrongTenants(): AsyncGenerator<TenantMismatch[]> {
    return this.inBatches(TENANTS_END, WRONG_TENANTS);
  }

  private async *inBatches<Row>(end: Statement<{ key: string }>, wrong: Statement<Row>): AsyncGenerator<Row[]> {
    for (let from = START; from !== END;) {
      const last = await this.reads.run((tx) => end.first(tx, [from, ROWS_AT_ONCE - 1]));
      const to = last?.key ?? END;
      yield await this.reads.run((tx) => wrong.rows(tx, [from, to, from, to]));
      from = to;
    }
  }

  /** Also marks a deleted webhook, so that its rows are removed. */
  async recountWebhook(tx: Transaction, webhookId: string): Promise<void> {
    await HOLD_WEBHOOK.run(tx, [webhookId]);
    await RECOUNT_WEBHOOK.run(tx, [webhookId, webhookId, webhookId]);
  }

  async recountTenant(tx: Transaction, tenantId: string): Promise<void> {
    await HOLD_TENANT.run(tx, [tenantId]);
    await RECOUNT_TENANT.run(tx, [tenantId, tenantId]);
  }
}

function portionEnd(table: string, key: string): Statement<{ key: string }> {
  return new Statement(`SELECT ${key} AS key FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ?`);
}

export interface UsageMismatch {
  readonly counter: 'webhook_usage.waiting' | 'webhook_usage.dead' | 'webhook_usage.octets' | 'webhook_tenants.octets';
  /** ID of the webhook or tenant. */
  readonly key: string;
  readonly stored: number;
  readonly counted: number;
}

/** Checks the usage counters of webhook queues (`zonewright check`). */
@Injectable()
export class UsageCheckService {
  constructor(
    private readonly usage: UsageCheckRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

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
