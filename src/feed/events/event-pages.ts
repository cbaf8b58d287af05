import { Injectable } from '@nestjs/common';
import { isForZone } from '../../auth/policy.js';
import type { ChangeEvents } from '../change-events.js';
import type { PublicationNotice } from '../publication-notice.js';
import { ChangeEntries } from '../listeners/change-entries.repository.js';
import type { ChangeEntry } from '../listeners/change-listener.js';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import { eventAt, type EventCursor, firstPosition, numberAt } from './event-id.js';
import type { EventLogRowEntity } from './event-log-row.entity.js';
import { EventLogRepository, PAGE_ROWS } from './event-log.repository.js';
import { EventsOptions } from './events.options.js';

/** A page is full when its events have so much text, in characters; it has those of one zone's page more at most. */
const PAGE_LENGTH = 2 ** 20;

/** An event, and the cursor behind it. */
export interface EventWithCursor {
  readonly cursor: EventCursor;
  readonly type: string;
  /** The event as JSON. */
  readonly text: string;
}

export interface EventPage {
  readonly events: readonly EventWithCursor[];
  /** The cursor behind all that was looked at. */
  readonly behind: EventCursor;
  /** Whether there may be more already. */
  readonly mayGoOn: boolean;
}

/** Whose events are read, and which of them. */
export interface EventSelection {
  readonly caller: Caller;
  /** `null`: of all zones. */
  readonly zoneIds: readonly string[] | null;
}

/** Reads the events of a tenant in their order, page by page. */
@Injectable()
export class EventPages {
  private readonly events: ChangeEvents;

  constructor(
    private readonly log: EventLogRepository,
    private readonly entries: ChangeEntries,
    private readonly reads: Reads,
    { events }: EventsOptions,
  ) {
    this.events = events;
  }

  /** Behind the latest event. */
  now(tenantId: string): Promise<EventCursor> {
    return this.reads.run(async (tx) => {
      const position = await this.log.last(tx, tenantId);
      const row = position === 0 ? undefined : await this.log.rowWith(tx, tenantId, position);
      return { position, event: row === undefined ? null : eventAt(row, position) };
    });
  }

  /**
   * Where a reader goes on that was at that cursor. Position 0 is before all events that are kept.
   * @throws ServiceError `invalid_object` where there is no such event, `events_gone` where later ones are not kept any more
   */
  goOn(tenantId: string, cursor: EventCursor): Promise<EventCursor> {
    return this.reads.run(async (tx) => {
      const { position, event } = cursor;
      const [last, oldest] = [await this.log.last(tx, tenantId), await this.log.oldest(tx, tenantId)];
      const kept = oldest === undefined ? last : firstPosition(oldest) - 1;
      if (position === 0) return { position: kept, event: null };
      if (position > last) throw noSuchEvent();
      if (position < kept) throw gone();
      if (event === null || position === kept) return cursor;
      const row = await this.log.rowWith(tx, tenantId, position);
      if (row === undefined || eventAt(row, position) !== event) throw noSuchEvent();
      return cursor;
    });
  }

  /**
   * Events behind that cursor; those whose history is not kept any more are left out.
   * @throws ServiceError `events_gone` where the next ones are not kept any more
   */
  async page({ caller, zoneIds }: EventSelection, cursor: EventCursor, zones: SeenZones): Promise<EventPage> {
    const { tenantId } = caller;
    const { rows, lookedUpTo, last } = await this.reads.run(async (tx) => {
      // In this order: a row that is not seen is behind `last`.
      const end = await this.log.last(tx, tenantId);
      const found = await this.log.page(tx, tenantId, cursor.position, zoneIds);
      const oldest = await this.log.oldest(tx, tenantId);
      const kept = oldest === undefined ? end : firstPosition(oldest) - 1;
      if (cursor.position < kept) throw gone();
      return { rows: found.rows, lookedUpTo: found.end, last: end };
    });
    const shown = rows.filter(({ zoneId, publication }) => publication === null && zones.isShown(zoneId));
    const known = await this.reads.run((tx) => this.eventsOf(tx, shown, cursor.position, zones));
    const events: EventWithCursor[] = [];
    let behind = cursor;
    for (const row of rows) {
      if (row.publication !== null) {
        behind = { position: row.position, event: eventAt(row, row.position) };
        const event = this.publicationIn(row.publication, zones);
        if (event !== null) events.push({ cursor: behind, ...event });
        continue;
      }
      for (let position = Math.max(cursor.position + 1, firstPosition(row)); position <= row.position; position += 1) {
        const number = numberAt(row, position);
        const ofZone = known.get(row.zoneId);
        if (zones.isShown(row.zoneId) && (ofZone === undefined || number > ofZone.upTo))
          return { events, behind, mayGoOn: true };
        behind = { position, event: eventAt(row, position) };
        const event = zones.isShown(row.zoneId) ? ofZone?.events.get(number) : undefined;
        if (event !== undefined) events.push({ cursor: behind, ...event });
      }
    }
    if (rows.length === PAGE_ROWS) return { events, behind, mayGoOn: true };
    if (lookedUpTo !== null) return { events, behind: { position: lookedUpTo, event: null }, mayGoOn: true };
    return { events, behind: last > behind.position ? { position: last, event: null } : behind, mayGoOn: false };
  }

  /** `null` where the caller's token is not for the zone. */
  private publicationIn(json: string, zones: SeenZones): Pick<EventWithCursor, 'type' | 'text'> | null {
    // Nobody but `EventLog` writes the column.
    const news = JSON.parse(json) as PublicationNotice;
    if (!zones.note(news)) return null;
    const event = this.events.publicationEventOf(news);
    return { type: event.type, text: JSON.stringify(event) };
  }

  /** The events of these rows, zone by zone until there are enough. */
  private async eventsOf(
    tx: Transaction,
    rows: readonly EventLogRowEntity[],
    behind: number,
    zones: SeenZones,
  ): Promise<ReadonlyMap<string, KnownEvents>> {
    const known = new Map<string, KnownEvents>();
    let length = 0;
    for (const row of rows) {
      const { zoneId } = row;
      if (known.has(zoneId)) continue;
      if (length >= PAGE_LENGTH) break;
      const from = numberAt(row, Math.max(behind + 1, firstPosition(row)));
      const lastRow = rows.findLast((one) => one.zoneId === zoneId) ?? row;
      const end = numberAt(lastRow, lastRow.position);
      const { entries, mayGoOn } = await this.entries.page(tx, zoneId, from - 1, end);
      const events = new Map<number, Pick<EventWithCursor, 'type' | 'text'>>();
      for (const entry of entries) {
        if (!zones.note(entry)) break;
        const event = this.events.eventOf(entry);
        const text = JSON.stringify(event);
        length += text.length;
        events.set(entry.number, { type: event.type, text });
      }
      known.set(zoneId, { events, upTo: mayGoOn ? (entries.at(-1)?.number ?? end) : end });
    }
    return known;
  }
}

/** Events of one zone by their numbers, complete up to one of them. */
interface KnownEvents {
  readonly events: ReadonlyMap<number, Pick<EventWithCursor, 'type' | 'text'>>;
  readonly upTo: number;
}

/** Most zones that are remembered. */
const MOST_ZONES = 10_000;

/** Which zones a caller's token is for, as far as that is known by their names. */
export class SeenZones {
  private readonly hidden = new Set<string>();

  constructor(private readonly caller: Caller) {}

  /** `true` also where it is not known yet. */
  isShown(zoneId: string): boolean {
    return !this.hidden.has(zoneId);
  }

  /** Returns whether the caller's token is for the zone that is told of. */
  note({ zone }: Pick<ChangeEntry, 'zone'>): boolean {
    if (this.caller.restrictions === undefined || isForZone(this.caller, { nameKey: DomainName.parse(zone.name).key }))
      return true;
    if (this.hidden.size >= MOST_ZONES) this.hidden.clear();
    this.hidden.add(zone.id);
    return false;
  }
}

function noSuchEvent(): ServiceError {
  return ServiceError.ofField(
    'invalid_object',
    'Last-Event-ID',
    'format',
    'Last-Event-ID: there is no such event of this tenant; send none to begin now, or 0 to begin with the oldest.',
  );
}

function gone(): ServiceError {
  return new ServiceError(
    'events_gone',
    'Events after this one are no longer kept: read the present state again, and begin without Last-Event-ID.',
  );
}
