import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { entityManagerOf, type Transaction } from '../../database/transaction.js';
import { WebhookEntity } from './webhook.entity.js';

/** What of a webhook decides which changes it is told. */
export type Subscription = Pick<WebhookEntity, 'id' | 'domains' | 'actions' | 'createdAt'>;

const ENABLED = new Statement<Subscription>(
  'SELECT id, domains, actions, created_at AS "createdAt" FROM webhooks WHERE tenant_id = ? AND enabled = 1 ORDER BY id',
);
const COUNT = new Statement<{ readonly total: number }>('SELECT COUNT(*) AS total FROM webhooks WHERE tenant_id = ?');
const DISABLE_GONE = new Statement<{ readonly tenantId: string }>(
  "UPDATE webhooks SET enabled = 0, disabled_because = 'gone', updated_at = ? WHERE id = ? AND enabled = 1" +
    ' RETURNING tenant_id AS "tenantId"',
);
const NOTE_OVERFLOW = new Statement('UPDATE webhooks SET overflowed_at = ? WHERE id = ?');

/** What an update of a webhook may write. */
export type WebhookColumns = Partial<Omit<WebhookEntity, 'id' | 'tenantId' | 'createdAt'>>;

@Injectable()
export class WebhookRepository {
  constructor(private readonly reads: Reads) {}

  /** Of a tenant, or of all, in the order in which they were made. */
  list(tenantId: string | null): Promise<WebhookEntity[]> {
    const where = tenantId === null ? {} : { tenantId };
    return this.reads.run((tx) => entityManagerOf(tx).find(WebhookEntity, { where, order: { id: 'ASC' } }));
  }

  find(id: string): Promise<WebhookEntity | null> {
    return this.reads.run((tx) => this.findIn(tx, id));
  }

  findIn(tx: Transaction, id: string): Promise<WebhookEntity | null> {
    return entityManagerOf(tx).findOneBy(WebhookEntity, { id });
  }

  /** Those that are told of changes. */
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

  /** What is in its queue goes with the cleanup. */
  async delete(tx: Transaction, id: string): Promise<void> {
    await entityManagerOf(tx).delete(WebhookEntity, { id });
  }

  /** Returns whose it is; `undefined` where it was disabled before. */
  async disableGone(tx: Transaction, id: string, at: Instant): Promise<string | undefined> {
    return (await DISABLE_GONE.first(tx, [at, id]))?.tenantId;
  }

  /** Notes that its queue had no room. */
  noteOverflow(tx: Transaction, id: string, at: Instant): Promise<void> {
    return NOTE_OVERFLOW.run(tx, [at, id]);
  }
}
