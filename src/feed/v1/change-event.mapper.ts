import type { ChangeEntry, RecordSnapshot, ZoneSnapshot } from '../../plugins/change-listener.js';
import { formatInstant } from '../../common/clock.js';
import { toDomainDto, toLabeledSetStep } from '../../zones/v1/domain.mapper.js';
import { recordMapper } from '../../records/v1/record.mapper.js';
import type { ChangeEvent, ChangeEvents, EventForm, ZoneNotice } from '../change-events.js';
import type { JournalAction } from '../../zones/journal/journal-format.js';

/** A CloudEvent 1.0 in JSON format (behaviour 19.7). */
export interface CloudEvent extends ChangeEvent {
  readonly specversion: '1.0';
  /** `<domain id>:<number>` for a change, `<domain id>:published:<serial>` for a notice. At most 64 characters. */
  readonly id: string;
  /** `zonewright.record.created` */
  readonly type: string;
  /** URL of the subject; a path without `api_base_uri`. */
  readonly source: string;
  /** `records/<id>`; absent for a step of the domain itself. */
  readonly subject?: string;
  /** RFC 3339, UTC, with microseconds. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: object;
}

interface CloudEvents extends ChangeEvents {
  eventOf(entry: ChangeEntry): CloudEvent;
  noticeEventOf(notice: ZoneNotice): CloudEvent;
}

const HAPPENED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'zone.create': 'domain.created',
    'zone.update': 'domain.updated',
    'zone.delete': 'domain.deleted',
    'zone.serial': 'domain.serial_raised',
    'zone.transfer': 'domain.transferred',
    'zone.regenerate': 'domain.regenerated',
    'record.create': 'record.created',
    'record.update': 'record.updated',
    'record.delete': 'record.deleted',
  } satisfies Record<JournalAction, string>),
);

const NOTICES: readonly ZoneNotice['publication'][] = [
  ...(['published', 'lagging', 'alias_failing', 'alias_recovered'] as const),
  ...(['live_check_failing', 'live_check_recovered'] as const),
];

export const CHANGE_ACTIONS: readonly string[] = [...HAPPENED.keys()].map(actionOf);

/** Actions in event filters: those of the history, and notices. */
export const EVENT_ACTIONS: readonly string[] = [...CHANGE_ACTIONS, ...NOTICES.map(noticeAction)];

export const EVENT_TYPES: readonly string[] = [...HAPPENED.values(), ...NOTICES.map(noticeAction)].map(
  (happened) => `zonewright.${happened}`,
);

export function changeEvents({ baseUri, expiringRecords }: EventForm): CloudEvents {
  const form = recordMapper({ expiringRecords });
  const eventOf = (entry: ChangeEntry): CloudEvent => {
    const { zone, number, serial, changeId, action, recordId, before, after, tenantId, requestId, at, message } = entry;
    const shown = (snapshot: ZoneSnapshot | RecordSnapshot | null): object | null => {
      if (snapshot === null) return null;
      // A step of a record has an ID and record snapshots.
      if (recordId === null) return toDomainDto(snapshot as ZoneSnapshot);
      return form({ ...(snapshot as RecordSnapshot), zoneId: zone.id });
    };
    return {
      specversion: '1.0',
      id: `${zone.id}:${number}`,
      type: `zonewright.${HAPPENED.get(action) ?? actionOf(action)}`,
      source: `${baseUri ?? ''}/v1/domains/${zone.id}`,
      ...(recordId === null ? {} : { subject: `records/${recordId}` }),
      time: `${formatInstant(at)}Z`,
      datacontenttype: 'application/json',
      data: {
        domain: domainOf(zone),
        number,
        serial,
        change_id: changeId,
        action: actionOf(action),
        actor: { tenant_id: tenantId },
        request_id: requestId,
        ...(message === null ? {} : { message }),
        before: shown(before),
        after: shown(after),
        ...(recordId === null && toLabeledSetStep(before as ZoneSnapshot | null, after as ZoneSnapshot | null)),
      },
    };
  };
  const noticeEventOf = (notice: ZoneNotice): CloudEvent => {
    const { kind, publication, zone, serial, at } = notice;
    return {
      specversion: '1.0',
      id: `${zone.id}:${kind ?? publication}:${serial}`,
      type: `zonewright.${noticeAction(publication)}`,
      source: `${baseUri ?? ''}/v1/domains/${zone.id}`,
      time: `${formatInstant(at)}Z`,
      datacontenttype: 'application/json',
      data: { domain: domainOf(zone), ...noticeData(notice) },
    };
  };
  return {
    actions: EVENT_ACTIONS,
    actionOf,
    eventOf,
    noticeAction: ({ publication }) => noticeAction(publication),
    noticeEventOf,
  };
}

function domainOf({ id, name, labels }: ChangeEntry['zone']) {
  return { id, name, ...(labels && { labels }) };
}

function noticeData(notice: ZoneNotice): object {
  if (notice.kind === 'alias') {
    const { target, state, problem, since, owners, ownerCount } = notice;
    return { target, state, problem, since: formatInstant(since), owners, owner_count: ownerCount };
  }
  if (notice.kind === 'live_check') {
    const { changedAt, counts, findings } = notice;
    return { checked_at: formatInstant(changedAt), counts, findings };
  }
  const { number, serial, changedAt, servers } = notice;
  return { number, serial, changed_at: formatInstant(changedAt), servers };
}

function noticeAction(publication: ZoneNotice['publication']): string {
  return `domain.${publication}`;
}

function actionOf(action: string): string {
  return action.replace(/^zone\./, 'domain.');
}
