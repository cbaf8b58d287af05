import { labelsColumn, readLabels } from '../../common/labels.js';
import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import type { Caller } from '../../common/caller.js';
import type { Page } from '../../common/collection-query.js';
import { readField, ServiceError } from '../../common/service-error.js';
import { isText } from '../../common/json.js';
import { canonicalUuid } from '../../common/uuid.js';
import { NameError } from '../../dns/name.js';
import { parseZoneName } from '../../dns/owner-name.js';
import { ZonesService } from '../../zones/zones.service.js';
import { AllowedTargets } from './calls/allowed-targets.js';
import { newWebhookSecret } from './calls/signature.js';
import { DeliverySender } from './delivery-sender.js';
import {
  assertMayManageWebhooks,
  visibleWebhook,
  type WebhookFields,
  type WebhookUpdate,
  WebhookWriter,
} from './webhook-writer.js';
import type { WebhookEntity } from './webhook.entity.js';
import { type WebhookColumns, WebhookRepository } from './webhook.repository.js';
import { WEBHOOK_RETENTION } from './webhooks-cleanup.js';
import { WebhooksOptions } from './webhooks.options.js';

const MOST_ENTRIES = 100;

/** Manages the webhooks of tenants (behaviour 19.8). */
@Injectable()
export class WebhooksService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly writer: WebhookWriter,
    private readonly scheduler: Scheduler,
    private readonly sender: DeliverySender,
    private readonly targets: AllowedTargets,
    private readonly zones: ZonesService,
    private readonly options: WebhooksOptions,
  ) {}

  /** `after` is the ID before the page, or empty. All methods throw `forbidden` for a restricted token. */
  async page(caller: Caller, after: string, limit: number): Promise<Page<WebhookEntity>> {
    assertMayManageWebhooks(caller);
    const entries = await this.webhooks.page(caller.allTenants ? null : caller.tenantId, after, limit);
    return { entries, isLast: entries.length < limit };
  }

  async get(id: string, caller: Caller): Promise<WebhookEntity> {
    assertMayManageWebhooks(caller);
    return visibleWebhook(await this.webhooks.find(id), caller);
  }

  /** @throws ServiceError `invalid_object`, `over_quota` */
  async create(fields: WebhookFields, caller: Caller): Promise<WebhookEntity> {
    assertMayManageWebhooks(caller);
    return this.writer.create(fields, this.columnsOf(fields), caller, this.options.limits.maxWebhooks);
  }

  /** @throws ServiceError `webhook_not_found`, `invalid_object` */
  async update(id: string, change: WebhookUpdate, caller: Caller): Promise<WebhookEntity> {
    assertMayManageWebhooks(caller);
    const updated = await this.writer.update(id, caller, { action: 'webhook.update', said: change }, (before, now) => {
      const altered = alteredBy(before, change);
      return Object.keys(altered).length === 0 ? null : { ...this.columnsOf(altered), updatedAt: now };
    });
    this.sender.wake();
    return updated;
  }

  /** Returns configured names and IDs without a domain of the tenant. */
  async unknownDomains({ tenantId, domains }: WebhookEntity): Promise<string[]> {
    return domains === null ? [] : this.zones.unknownTo(tenantId, JSON.parse(domains) as string[]);
  }

  /** The former secret also signs for the configured time. */
  async rotate(id: string, caller: Caller): Promise<WebhookEntity> {
    assertMayManageWebhooks(caller);
    return this.writer.update(id, caller, { action: 'webhook.rotate', said: {} }, ({ secret }, now) => ({
      secret: newWebhookSecret(),
      formerSecret: secret,
      formerUntil: now + this.options.limits.rotationTime * 1_000_000,
      updatedAt: now,
    }));
  }

  /** A background task deletes the queues, because that may take long. */
  async delete(id: string, caller: Caller): Promise<void> {
    assertMayManageWebhooks(caller);
    await this.writer.delete(id, caller);
    this.scheduler.trigger(WEBHOOK_RETENTION);
  }

  private columnsOf({ url, description, enabled, domains, actions, labels }: WebhookUpdate): WebhookColumns {
    return {
      ...(url !== undefined && { url: this.targets.read(url) }),
      ...(description !== undefined && { description }),
      ...(enabled !== undefined && { enabled: enabled ? 1 : 0, disabledBecause: null }),
      ...(domains !== undefined && { domains: columnOf('domains', domains, readDomain) }),
      ...(labels !== undefined && { labels: labelsColumn(readLabels(labels)) }),
      ...(actions !== undefined && { actions: columnOf('actions', actions, (text) => this.readAction(text)) }),
    };
  }

  private readAction(text: string): string {
    const { actions } = this.options.events;
    if (actions.includes(text)) return text;
    throw ServiceError.ofField('invalid_object', 'actions', 'enum', `actions: not one of ${actions.join(', ')}.`);
  }
}

/** Returns the fields that differ. Unchanged fields are not checked again, because the rules may have changed. */
function alteredBy(before: WebhookEntity, change: WebhookUpdate): WebhookUpdate {
  const current: { readonly [Field in keyof WebhookFields]: unknown } = {
    ...{ url: before.url, description: before.description, enabled: before.enabled === 1 },
    ...{ domains: before.domains, actions: before.actions, labels: before.labels ?? '{}' },
  };
  const columnOfValue = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return Object.fromEntries(
    Object.entries(change).filter(
      ([field, value]) => value !== undefined && columnOfValue(value) !== current[field as keyof WebhookFields],
    ),
  );
}

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
  if (!isText(text))
    throw ServiceError.ofField('invalid_object', 'domains', 'format', 'domains: not a domain name or ID.');
  return readField('domains', NameError, () => parseZoneName(text))
    .toString()
    .toLowerCase();
}
