import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { hinted, indexedBy, inKeyOrder, primaryKeyOf } from '../../database/statements/walk.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { type Subscription, WebhookEntity } from './webhook.entity.js';

const ENABLED = new Statement<Subscription>(
  'SELECT id, domains, actions, labels, created_at AS "createdAt" FROM webhooks WHERE tenant_id = ? AND enabled = 1 ORDER BY id',
);
const ALL =
  'id, created_at AS "createdAt", updated_at AS "updatedAt", tenant_id AS "tenantId", url, description, enabled,' +
  ' disabled_because AS "disabledBecause", domains, actions, labels, secret, former_secret AS "formerSecret",' +
  ' former_until AS "formerUntil", overflowed_at AS "overflowedAt"';
const IN_ORDER = 'id > ? ORDER BY id LIMIT ?';
const PAGE = hinted<WebhookEntity>(
  `SELECT ${ALL} FROM webhooks${indexedBy(primaryKeyOf('webhooks'))} WHERE ${IN_ORDER}`,
);
const PAGE_OF_TENANT = hinted<WebhookEntity>(
  `SELECT ${ALL} FROM webhooks${indexedBy('webhooks_of_tenant')} WHERE tenant_id = ? AND ${IN_ORDER}`,
);
const COUNT = new Statement<{ readonly total: number }>('SELECT COUNT(*) AS total FROM webhooks WHERE tenant_id = ?');
const DISABLE_GONE = new Statement<{ readonly tenantId: string }>(
  "UPDATE webhooks SET enabled = 0, disabled_because = 'gone', updated_at = ? WHERE id = ? AND enabled = 1" +
    ' RETURNING tenant_id AS "tenantId"',
);
const NOTE_OVERFLOW = new Statement('UPDATE webhooks SET overflowed_at = ? WHERE id = ?');

export type WebhookColumns = Partial<Omit<WebhookEntity, 'id' | 'tenantId' | 'createdAt'>>;

@Injectable()
export class WebhookRepository {
  constructor(private readonly reads: Reads) {}

  /** In order of creation, after that ID. `tenantId` is `null` for all tenants. */
  page(tenantId: string | null, after: string, limit: number): Promise<WebhookEntity[]> {
    const part = [after, limit];
    const [statement, values] = tenantId === null ? [PAGE, part] : [PAGE_OF_TENANT, [tenantId, ...part]];
    return this.reads.run((tx) => inKeyOrder(tx, () => statement.rows(tx, values)));
  }

  find(id: string): Promise<WebhookEntity | null> {
    return this.reads.run((tx) => this.findIn(tx, id));
  }

  findIn(tx: Transaction, id: string): Promise<WebhookEntity | null> {
    return entityManagerOf(tx).findOneBy(WebhookEntity, { id });
  }

  enabledOf(tenantId: string): Promise<Subscription[]> {
    return this.reads.run((tx) => ENABLED.rows(tx, [tenantId]));
  }

  async count(tx: Transaction, tenantId: string): Promise<number> {
    return (await COUNT.first(tx, [tenantId]))?.total ?? 0;
  }

  async insert(tx: Transaction, webhook: WebhookEntity): Promise<void> {
    await entityManagerOf(tx).insert(WebhookEntity, webhook);
  }

  async update(tx: Transaction, id: string, columns: WebhookColumns): Promise<void> {
    await entityManagerOf(tx).update(WebhookEntity, { id }, columns);
  }

  /** The cleanup deletes its queues later. */
  async delete(tx: Transaction, id: string): Promise<void> {
    await entityManagerOf(tx).delete(WebhookEntity, { id });
  }

  /** Returns the owner; `undefined` if the webhook was already disabled. */
  async disableGone(tx: Transaction, id: string, at: Instant): Promise<string | undefined> {
    return (await DISABLE_GONE.first(tx, [at, id]))?.tenantId;
  }

  recordOverflow(tx: Transaction, id: string, at: Instant): Promise<void> {
    return NOTE_OVERFLOW.run(tx, [at, id]);
  }
}
