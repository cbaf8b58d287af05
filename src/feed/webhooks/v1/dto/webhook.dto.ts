import {
  NullableText,
  NullableTexts,
  OptionalLabels,
  ShownLabels,
  TextField,
} from '../../../../http/bodies/dto-fields.js';
import { type Labels, labelsOf } from '../../../../common/labels.js';
import { IsBoolean } from '../../../../http/bodies/class-validator.js';
import { EVENT_ACTIONS } from '../../../v1/change-event.mapper.js';
import { maySeeSecrets } from '../../../../auth/policy.js';
import type { Caller } from '../../../../common/caller.js';
import { formatInstant, formatInstantOrNull } from '../../../../common/clock.js';
import { MAX_DESCRIPTION } from '../../../../common/field-limits.js';
import { MayBeAbsent } from '../../../../http/bodies/field-decorators.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../../../http/openapi/decorators.js';
import { PartialType } from '../../../../http/openapi/partial-type.js';
import type { WebhookEntity } from '../../webhook.entity.js';

const TARGET_URL = { maxLength: 2048, example: 'https://hooks.example.org/dns' };
const DESCRIPTION = { type: String, nullable: true, maxLength: MAX_DESCRIPTION, example: 'flush the cache' };
const LIST = { type: [String] as [StringConstructor], nullable: true };
const DOMAINS = { ...LIST, example: ['example.org.'], description: 'Names or ids of domains; null: all.' };
const ACTIONS = {
  ...LIST,
  example: ['record.create', 'record.update', 'record.delete'],
  description: `Of ${EVENT_ACTIONS.map((action) => `\`${action}\``).join(', ')}; null: all but the last six.`,
};
const TIME = { type: String, nullable: true, example: '2026-11-21T08:30:00.000000' } as const;

export class CreateWebhookDto {
  @TextField({ ...TARGET_URL, description: 'Where events are sent by POST.' })
  url!: string;

  @NullableText(DESCRIPTION)
  description?: string | null;

  @ApiPropertyOptional({
    example: true,
    description: 'Default: true. Changes made while it is false are not sent later either.',
  })
  @MayBeAbsent()
  @IsBoolean()
  enabled?: boolean;

  @NullableTexts({ ...DOMAINS, minItems: 1, maxItems: 100 })
  domains?: string[] | null;

  @NullableTexts({ ...ACTIONS, minItems: 1, maxItems: 100 })
  actions?: string[] | null;

  @OptionalLabels('Only events of domains that have all of these labels when the event is read.')
  labels?: object;
}

export class UpdateWebhookDto extends PartialType(CreateWebhookDto) {}

/** A webhook without its secret. */
export class WebhookDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7d10-8000-2b9c0e4f6a81' })
  id!: string;

  @ApiProperty({ example: 'acme' })
  tenant_id!: string;

  @ApiProperty({ ...TARGET_URL, description: 'To a caller who may only read: without its path and query.' })
  url!: string;

  @ApiProperty(DESCRIPTION)
  description!: string | null;

  @ApiProperty({ example: true })
  enabled!: boolean;

  @ApiNullableText({
    enum: ['gone', null],
    example: null,
    description: '`gone`: the service has disabled it, because its target answered 410.',
  })
  disabled_because!: string | null;

  @ApiProperty(DOMAINS)
  domains!: readonly string[] | null;

  @ApiProperty(ACTIONS)
  actions!: readonly string[] | null;

  @ShownLabels()
  labels?: Labels;

  @ApiProperty({ ...TIME, description: 'Until when the former secret signs as well; null: there is none.' })
  former_secret_until!: string | null;

  @ApiProperty({ ...TIME, example: null, description: 'When its queue last had no room for an event; null: never.' })
  overflowed_at!: string | null;

  @ApiProperty({ ...TIME, nullable: false })
  created_at!: string;

  @ApiProperty({ ...TIME, example: null })
  updated_at!: string | null;

  @ApiPropertyOptional({
    type: [String],
    description: 'In the answer to a create or update: what was accepted but may be a mistake.',
    example: ['There is no domain example.net. yet; its events are sent once the tenant has made it.'],
  })
  warnings?: string[];
}

export class WebhookWithSecretDto extends WebhookDto {
  @ApiProperty({
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwXvvJ0dEqxPk=',
    description: 'The key that verifies signatures (Standard Webhooks). It is shown only once.',
  })
  secret!: string;
}

export class WebhookListDto {
  @ApiProperty({ type: [WebhookDto] })
  webhooks!: WebhookDto[];
}

export function toWebhookDto(webhook: WebhookEntity, caller: Caller): WebhookDto {
  const { id, tenantId, url, description, enabled, disabledBecause, domains, actions } = webhook;
  return {
    ...{ id, tenant_id: tenantId, url: maySeeSecrets(caller, webhook) ? url : withoutPath(url), description },
    enabled: enabled === 1,
    disabled_because: disabledBecause,
    domains: listOrNull(domains),
    actions: listOrNull(actions),
    ...(webhook.labels !== null && { labels: labelsOf(webhook) }),
    former_secret_until: formatInstantOrNull(webhook.formerUntil),
    overflowed_at: formatInstantOrNull(webhook.overflowedAt),
    created_at: formatInstant(webhook.createdAt),
    updated_at: formatInstantOrNull(webhook.updatedAt),
  };
}

export function toWebhookWithSecretDto(webhook: WebhookEntity, caller: Caller): WebhookWithSecretDto {
  return { ...toWebhookDto(webhook, caller), secret: webhook.secret };
}

/** Path and query may contain credentials. */
function withoutPath(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? url : `${origin}/…`;
}

/** @param unknown names and IDs without a domain, which may appear later */
export function toWarningsDto(unknown: readonly string[]): Pick<WebhookDto, 'warnings'> {
  if (unknown.length === 0) return {};
  const warningOf = (domain: string): string =>
    `There is no domain ${domain} yet; its events are sent once the tenant has made it.`;
  return { warnings: unknown.map(warningOf) };
}

/** Written by `WebhooksService`. */
function listOrNull(column: string | null): readonly string[] | null {
  return column === null ? null : (JSON.parse(column) as string[]);
}
