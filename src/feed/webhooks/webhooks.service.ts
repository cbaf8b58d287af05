import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { Page } from '../../common/page.js';
import { Clock } from '../../common/clock.js';
import { readField } from '../../common/read-field.js';
import { ServiceError } from '../../common/service-error.js';
import { isText } from '../../common/text.js';
import { canonicalUuid, timeOrderedUuid } from '../../common/uuid.js';
import { type AuditedAct, AuditTrail } from '../../database/audit/audit-trail.js';
import { lockAcrossProcesses } from '../../database/locks.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { NameError } from '../../dns/name.js';
import { parseZoneName } from '../../dns/owner-name.js';
import { ChangeLimits } from '../../zones/changes/change-limits.js';
import { ZonesService } from '../../zones/zones.service.js';
import { AllowedTargets } from './calls/allowed-targets.js';
import { DeliverySender } from './delivery-sender.js';
import { assertMayManageWebhooks, visibleWebhook } from './managed-webhooks.js';
import { newWebhookSecret } from './calls/signature.js';
import { WebhookQueueRepository } from './queue/webhook-queue.repository.js';
import type { WebhookEntity } from './webhook.entity.js';
import { type WebhookColumns, WebhookRepository } from './webhook.repository.js';
import { WebhookUsageRepository } from './queue/webhook-usage.repository.js';
import { WebhooksCleanup } from './webhooks-cleanup.js';
import { WebhooksOptions } from './webhooks.options.js';

/** What a tenant says of a webhook. `null` for lists: all. */
export interface WebhookFields {
  readonly url: string;
  readonly description: string | null;
  readonly enabled: boolean;
  /** Ids and names of domains. */
  readonly domains: readonly string[] | null;
  readonly actions: readonly string[] | null;
}

/** What is left out keeps its value. */
export type WebhookChange = { readonly [Field in keyof WebhookFields]?: WebhookFields[Field] | undefined };

/** Of each list. */
const MOST_ENTRIES = 100;

/** Where tenants want to be told of changes (behaviour 19.8). */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly queues: WebhookQueueRepository,
    private readonly usage: WebhookUsageRepository,
    private readonly cleanup: WebhooksCleanup,
    private readonly sender: DeliverySender,
    private readonly targets: AllowedTargets,
    private readonly zones: ZonesService,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly limits: ChangeLimits,
    private readonly trail: AuditTrail,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
  ) {}

  /**
   * @param after the id of the webhook before the page; an empty text: none is
   * @throws ServiceError `forbidden` for a token that is limited to some work; so do all others
   */
  async page(caller: Caller, after: string, limit: number): Promise<Page<WebhookEntity>> {
    assertMayManageWebhooks(caller);
    const entries = await this.webhooks.page(caller.allTenants ? null : caller.tenantId, after, limit);
    return { entries, isLast: entries.length < limit };
  }

  /** @throws ServiceError `webhook_not_found` */
  async get(id: string, caller: Caller): Promise<WebhookEntity> {
    assertMayManageWebhooks(caller);
    return visibleWebhook(await this.webhooks.find(id), caller);
  }

  /** @throws ServiceError `invalid_object`, `over_quota` */
  async create(fields: WebhookFields, caller: Caller): Promise<WebhookEntity> {
    assertMayManageWebhooks(caller);
    const { tenantId } = caller;
    const columns = this.columnsOf(fields);
    return this.write(caller, async (tx) => {
      await lockAcrossProcesses(tx, `webhooks of ${tenantId}`);
      await this.assertRoom(tx, tenantId);
      const createdAt = this.clock.now();
      const made: WebhookEntity = {
        ...{ id: timeOrderedUuid(createdAt), tenantId, url: fields.url, description: null },
        ...{ enabled: 1, disabledBecause: null, domains: null, actions: null },
        ...{ secret: newWebhookSecret(), formerSecret: null, formerUntil: null, overflowedAt: null },
        ...{ createdAt, updatedAt: null },
        ...columns,
      };
      await this.webhooks.insert(tx, made);
      await this.note(tx, caller, 'webhook.create', made, fields);
      return made;
    });
  }

  /** @throws ServiceError `webhook_not_found`, `invalid_object` */
  async update(id: string, change: WebhookChange, caller: Caller): Promise<WebhookEntity> {
    assertMayManageWebhooks(caller);
    const updated = await this.change(id, caller, 'webhook.update', change, (before, now) => {
      const altered = alteredBy(before, change);
      return Object.keys(altered).length === 0 ? null : { ...this.columnsOf(altered), updatedAt: now };
    });
    this.sender.wake();
    return updated;
  }

  /** Names and ids that it has been given, and that no domain of its tenant has now. */
  async unknownDomains({ tenantId, domains }: WebhookEntity): Promise<string[]> {
    return domains === null ? [] : this.zones.unknownTo(tenantId, JSON.parse(domains) as string[]);
  }

  /**
   * Gives it another secret; the one before it goes on to sign as well, for as long as the operator has set.
   * @throws ServiceError `webhook_not_found`
   */
  async rotate(id: string, caller: Caller): Promise<WebhookEntity> {
    assertMayManageWebhooks(caller);
    return this.change(id, caller, 'webhook.rotate', {}, ({ secret }, now) => ({
      secret: newWebhookSecret(),
      formerSecret: secret,
      formerUntil: now + this.options.limits.rotationTime * 1_000_000,
      updatedAt: now,
    }));
  }

  /**
   * What is stored for it goes at once, but not within the call: it may take a while.
   * @throws ServiceError `webhook_not_found`
   */
  async delete(id: string, caller: Caller): Promise<void> {
    assertMayManageWebhooks(caller);
    await this.write(caller, async (tx) => {
      const webhook = visibleWebhook(await this.webhooks.findIn(tx, id), caller);
      await this.webhooks.delete(tx, id);
      await this.usage.recordDeleted(tx, id);
      await this.note(tx, caller, 'webhook.delete', webhook, {});
    });
    this.cleanup.wake();
  }

  /** @throws ServiceError `rate_limited` */
  private write<T>({ tenantId }: Caller, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.limits.run(tenantId, () => this.unitOfWork.run(work));
  }

  private change(
    id: string,
    caller: Caller,
    action: AuditedAct['action'],
    said: WebhookChange,
    columnsOf: (webhook: WebhookEntity, now: number) => WebhookColumns | null,
  ): Promise<WebhookEntity> {
    return this.write(caller, async (tx) => {
      const webhook = visibleWebhook(await this.webhooks.findIn(tx, id), caller);
      const now = this.clock.now();
      const columns = columnsOf(webhook, now);
      if (columns === null) return webhook;
      if (columns.enabled === 1) await this.queues.hastenAll(tx, id, now);
      await this.webhooks.update(tx, id, columns);
      await this.note(tx, caller, action, webhook, said);
      return { ...webhook, ...columns };
    });
  }

  /** @throws ServiceError `invalid_object` */
  private columnsOf({ url, description, enabled, domains, actions }: WebhookChange): WebhookColumns {
    return {
      ...(url !== undefined && { url: this.targets.read(url) }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { enabled: enabled ? 1 : 0, disabledBecause: null }),
      ...(domains !== undefined && { domains: columnOf('domains', domains, readDomain) }),
      ...(actions !== undefined && { actions: columnOf('actions', actions, (text) => this.readAction(text)) }),
    };
  }

  private readAction(text: string): string {
    const { actions } = this.options.events;
    if (actions.includes(text)) return text;
    throw ServiceError.ofField('invalid_object', 'actions', 'enum', `actions: not one of ${actions.join(', ')}.`);
  }

  /** @throws ServiceError `over_quota` */
  private async assertRoom(tx: Transaction, tenantId: string): Promise<void> {
    const { maxWebhooks } = this.options.limits;
    if ((await this.webhooks.count(tx, tenantId)) < maxWebhooks) return;
    throw new ServiceError('over_quota', `The limit of ${maxWebhooks} webhooks is reached; delete one first.`);
  }

  /** Of the URL only where it leads: its path may be what lets in whoever knows it. */
  private async note(
    tx: Transaction,
    caller: Caller,
    action: AuditedAct['action'],
    { id, tenantId, url }: WebhookEntity,
    said: WebhookChange,
  ): Promise<void> {
    const details = { ...said, ...(said.url !== undefined && { url: new URL(said.url).origin }) };
    const subject = { id, name: new URL(url).origin.slice(0, 255) };
    await this.trail.record(tx, caller, [{ action, ownerId: tenantId, subject, details }]);
  }
}

/** The part of a change that alters the webhook: the rest is as it was read, and fine whatever the rules are by now. */
function alteredBy(before: WebhookEntity, change: WebhookChange): WebhookChange {
  const current: { readonly [Field in keyof WebhookFields]: unknown } = {
    ...{ url: before.url, description: before.description, enabled: before.enabled === 1 },
    ...{ domains: before.domains, actions: before.actions },
  };
  const columnOfValue = (value: unknown): unknown => (Array.isArray(value) ? JSON.stringify(value) : value);
  return Object.fromEntries(
    Object.entries(change).filter(
      ([field, value]) => value !== undefined && columnOfValue(value) !== current[field as keyof WebhookFields],
    ),
  );
}

/**
 * A list as it is stored; `null`: all.
 * @throws ServiceError `invalid_object`
 */
function columnOf(path: string, list: readonly string[] | null, read: (text: string) => string): string | null {
  if (list === null) return null;
  if (list.length === 0 || list.length > MOST_ENTRIES)
    throw ServiceError.ofField(
      'invalid_object',
      path,
      list.length === 0 ? 'required' : 'maxLength',
      `${path}: 1 to ${MOST_ENTRIES} entries; null: all.`,
    );
  return JSON.stringify([...new Set(list.map(read))]);
}

function readDomain(text: string): string {
  const id = canonicalUuid(text);
  if (id !== null) return id;
  if (!isText(text)) throw ServiceError.ofField('invalid_object', 'domains', 'format', 'domains: no name.');
  return readField('domains', NameError, () => parseZoneName(text))
    .toString()
    .toLowerCase();
}
