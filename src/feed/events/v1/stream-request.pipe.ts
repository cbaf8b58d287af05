import { OptionalText } from '../../../http/bodies/dto-fields.js';
import { Injectable, type PipeTransform } from '@nestjs/common';
import type { Caller } from '../../../common/caller.js';
import { ServiceError } from '../../../common/service-error.js';
import { canonicalUuid } from '../../../common/uuid.js';
import { type EventCursor, readEventId } from '../event-pages.js';
import { Transform } from 'class-transformer';
import { IsTexts, MayBeAbsent } from '../../../http/bodies/field-decorators.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';

const MOST_DOMAINS = 100;

export interface EventFilter {
  /** `null`: all domains. */
  readonly zoneIds: readonly string[] | null;
  /** `null`: from now on. */
  readonly since: EventCursor | null;
}

@Injectable()
export class StreamRequestPipe implements PipeTransform<EventsQueryDto, EventFilter> {
  transform({ domain, since }: EventsQueryDto): EventFilter {
    return { zoneIds: domain === undefined ? null : idsIn(domain), since: cursorIn(since, 'since') };
  }
}

/** @throws ServiceError `invalid_object` for a malformed ID */
export function cursorIn(id: string | string[] | undefined, field = 'Last-Event-ID'): EventCursor | null {
  if (id === undefined) return null;
  const cursor = typeof id === 'string' ? readEventId(id) : null;
  if (cursor !== null) return cursor;
  throw ServiceError.ofField(
    'invalid_object',
    field,
    'format',
    `${field}: not an event ID; send a received ID, or 0 to start with the oldest event.`,
  );
}

/** Event positions belong to one tenant. */
export function assertOneTenant({ allTenants, tenantId }: Caller): void {
  if (!allTenants && tenantId !== '') return;
  throw ServiceError.ofField(
    'invalid_object',
    'X-Auth-All-Projects',
    'enum',
    'X-Auth-All-Projects: a stream belongs to one tenant; name it in X-Auth-Sudo-Tenant-ID instead.',
  );
}

function idsIn(domains: readonly string[]): readonly string[] {
  const ids = domains.map((text) => {
    const id = canonicalUuid(text);
    if (id === null)
      throw ServiceError.ofField('invalid_object', 'domain', 'format', 'domain: not a UUID; send domain IDs.');
    return id;
  });
  if (ids.length <= MOST_DOMAINS) return [...new Set(ids)];
  throw ServiceError.ofField(
    'invalid_object',
    'domain',
    'maximum',
    `domain: too many IDs; send at most ${MOST_DOMAINS}.`,
  );
}

/** Filter and start of a stream (behaviour 19.12). */
export class EventsQueryDto {
  @ApiPropertyOptional({
    type: [String],
    description: 'Ids of domains, several times or with commas between, 100 at most; without it all of the tenant.',
  })
  @MayBeAbsent()
  @IsTexts()
  @Transform(({ value }: { value: unknown }) => listOf(value))
  domain?: string[];

  @OptionalText({
    description: 'The id of the last event that was seen, or 0: as `Last-Event-ID`, for clients that cannot send that.',
    example: '0',
  })
  since?: string;
}

function listOf(value: unknown): unknown {
  if (typeof value === 'string') return value.split(',');
  return Array.isArray(value) ? value.flatMap(listOf) : value;
}
