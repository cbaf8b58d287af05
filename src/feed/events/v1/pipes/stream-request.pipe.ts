import { Injectable, type PipeTransform } from '@nestjs/common';
import type { Caller } from '../../../../common/caller.js';
import { ServiceError } from '../../../../common/service-error.js';
import { canonicalUuid } from '../../../../common/uuid.js';
import { type EventCursor, readEventId } from '../../event-id.js';
import type { EventsQueryDto } from '../dto/events-query.dto.js';

/** Domains that one stream can be limited to. */
const MOST_DOMAINS = 100;

export interface EventFilter {
  /** `null`: of all domains. */
  readonly zoneIds: readonly string[] | null;
  /** `null`: from now on. */
  readonly since: EventCursor | null;
}

/** Reads which events are asked for, and from where. */
@Injectable()
export class StreamRequestPipe implements PipeTransform<EventsQueryDto, EventFilter> {
  transform({ domain, since }: EventsQueryDto): EventFilter {
    return { zoneIds: domain === undefined ? null : idsIn(domain), since: cursorIn(since, 'since') };
  }
}

/** @throws ServiceError `invalid_object` for what was never an id */
export function cursorIn(id: string | string[] | undefined, field = 'Last-Event-ID'): EventCursor | null {
  if (id === undefined) return null;
  const cursor = typeof id === 'string' ? readEventId(id) : null;
  if (cursor !== null) return cursor;
  throw ServiceError.ofField(
    'invalid_object',
    field,
    'format',
    `${field}: send the id of an event as it came, or 0 to begin with the oldest.`,
  );
}

/** Events are counted for each tenant, so that a stream is of one. */
export function assertOneTenant({ allTenants, tenantId }: Caller): void {
  if (!allTenants && tenantId !== '') return;
  throw ServiceError.ofField(
    'invalid_object',
    'X-Auth-All-Projects',
    'enum',
    'A stream belongs to one tenant: name it in X-Auth-Sudo-Tenant-ID instead of asking for all.',
  );
}

function idsIn(domains: readonly string[]): readonly string[] {
  const ids = domains.map((text) => {
    const id = canonicalUuid(text);
    if (id === null)
      throw ServiceError.ofField('invalid_object', 'domain', 'format', 'domain: send ids of domains, which are UUIDs.');
    return id;
  });
  if (ids.length <= MOST_DOMAINS) return [...new Set(ids)];
  throw ServiceError.ofField('invalid_object', 'domain', 'maximum', `domain: send ${MOST_DOMAINS} ids at most.`);
}
