import { Injectable } from '@nestjs/common';
import { assertNotScoped, mayManage } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { Clock, type Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import { type AuditedAct, AuditTrail } from '../../database/audit/audit-trail.js';
import { lockAcrossProcesses } from '../../database/locks.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ChangeLimits } from '../../zones/changes/change-limits.js';
import { newWebhookSecret } from './calls/signature.js';
import { WebhookQueueRepository } from './queue/webhook-queue.repository.js';
import { WebhookUsageRepository } from './queue/webhook-usage.repository.js';
import type { WebhookEntity } from './webhook.entity.js';
import { type WebhookColumns, WebhookRepository } from './webhook.repository.js';

/** Fields of a webhook. `null` lists mean all. */
export interface WebhookFields {
  readonly url: string;
  readonly description: string | null;
  readonly enabled: boolean;
  /** IDs and names of domains. */
  readonly domains: readonly string[] | null;
  readonly actions: readonly string[] | null;
  /** As sent. */
  readonly labels: object;
}

export type WebhookUpdate = { readonly [Field in keyof WebhookFields]?: WebhookFields[Field] | undefined };

interface AuditedUpdate {
  readonly action: AuditedAct['action'];
  readonly said: WebhookUpdate;
}

@Injectable()
export class WebhookWriter {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly queues: WebhookQueueRepository,
    private readonly usage: WebhookUsageRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly limits: ChangeLimits,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /** @param most limit of webhooks of a tenant */
  create(fields: WebhookFields, columns: WebhookColumns, caller: Caller, most: number): Promise<WebhookEntity> {
    const { tenantId } = caller;
    return this.write(caller, async (tx) => {
      await lockAcrossProcesses(tx, `webhooks of ${tenantId}`);
      await this.assertRoom(tx, tenantId, most);
      const createdAt = this.clock.now();
      const made: WebhookEntity = {
        ...{ id: timeOrderedUuid(createdAt), tenantId, url: fields.url, description: null },
        ...{ enabled: 1, disabledBecause: null, domains: null, actions: null, labels: null },
        ...{ secret: newWebhookSecret(), formerSecret: null, formerUntil: null, overflowedAt: null },
        ...{ createdAt, updatedAt: null },
        ...columns,
      };
      await this.webhooks.insert(tx, made);
      await this.note(tx, caller, { action: 'webhook.create', said: fields }, made);
      return made;
    });
  }

  /** @param columnsOf returns `null` to write nothing */
  update(
    id: string,
    caller: Caller,
    update: AuditedUpdate,
    columnsOf: (webhook: WebhookEntity, now: Instant) => WebhookColumns | null,
  ): Promise<WebhookEntity> {
    return this.write(caller, async (tx) => {
      const webhook = visibleWebhook(await this.webhooks.findIn(tx, id), caller);
      const now = this.clock.now();
      const columns = columnsOf(webhook, now);
      if (columns === null) return webhook;
      if (columns.enabled === 1) await this.queues.hastenAll(tx, id, now);
      await this.webhooks.update(tx, id, columns);
      await this.note(tx, caller, update, webhook);
      return { ...webhook, ...columns };
    });
  }

  /** Leaves the queues to the cleanup. */
  delete(id: string, caller: Caller): Promise<void> {
    return this.write(caller, async (tx) => {
      const webhook = visibleWebhook(await this.webhooks.findIn(tx, id), caller);
      await this.webhooks.delete(tx, id);
      await this.usage.recordDeleted(tx, id);
      await this.note(tx, caller, { action: 'webhook.delete', said: {} }, webhook);
    });
  }

  private write<T>({ tenantId }: Caller, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.limits.run(tenantId, () => this.unitOfWork.run(work));
  }

  private async assertRoom(tx: Transaction, tenantId: string, most: number): Promise<void> {
    if ((await this.webhooks.count(tx, tenantId)) < most) return;
    throw new ServiceError('over_quota', `The limit of ${most} webhooks is reached; delete one first.`);
  }

  /** Records only the origin of the URL, because its path may contain credentials. */
  private async note(
    tx: Transaction,
    caller: Caller,
    { action, said }: AuditedUpdate,
    { id, tenantId, url }: WebhookEntity,
  ): Promise<void> {
    const details = { ...said, ...(said.url !== undefined && { url: new URL(said.url).origin }) };
    const subject = { id, name: new URL(url).origin.slice(0, 255) };
    await this.trail.record(tx, caller, [{ action, ownerId: tenantId, subject, details }]);
  }
}

export function assertMayManageWebhooks(caller: Caller): void {
  assertNotScoped(caller, 'to manage webhooks');
}

export function visibleWebhook(webhook: WebhookEntity | null, caller: Caller): WebhookEntity {
  if (webhook !== null && mayManage(caller, webhook)) return webhook;
  throw new ServiceError('webhook_not_found', 'Webhook not found; list webhooks with GET /v1/webhooks.');
}
