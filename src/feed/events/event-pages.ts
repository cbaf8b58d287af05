import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isForZone } from '../../auth/policy.js';
import type { ZoneNotice } from '../change-events.js';
import { ChangeEntries } from '../listeners/change-entries.repository.js';
import type { ChangeEntry } from '../../plugins/change-listener.js';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import type { EventLogRowEntity } from './event-log.entity.js';
import { EventLogRepository, PAGE_ROWS } from './event-log.repository.js';
import { EventsOptions } from './events.options.js';

/** Limit for the text of a page, in characters; the last zone may exceed it. */
const PAGE_LENGTH = 2 ** 20;

export interface EventWithCursor {
  readonly cursor: EventCursor;
  readonly type: string;
  readonly text: string;
}

export interface EventPage {
  readonly events: readonly EventWithCursor[];
  /** The cursor after all scanned events. */
  readonly behind: EventCursor;
  readonly mayGoOn: boolean;
}

@Injectable()
export class EventPages {
  constructor(
    private readonly log: EventLogRepository,
    private readonly entries: ChangeEntries,
    private readonly reads: Reads,
    private readonly options: EventsOptions,
  ) {}

  now(tenantId: string): Promise<EventCursor> {
    return this.reads.run(async (tx) => {
      const position = await this.log.last(tx, tenantId);
      const row = position === 0 ? undefined : await this.log.rowWith(tx, tenantId, position);
      return { position, event: row === undefined ? null : eventAt(row, position) };
    });
  }

  /** Position 0: the start. Throws `invalid_object` for an unknown event, `events_gone` if later ones were removed. */
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

  /** Skips events without history. Throws `events_gone` if the next events have been removed. */
  async page(view: EventView, cursor: EventCursor): Promise<EventPage> {
    const { tenantId, zoneIds } = view;
    const { rows, lookedUpTo, last } = await this.reads.run(async (tx) => {
      // In this order, rows that the read misses are after `last`.
      const end = await this.log.last(tx, tenantId);
      const found = await this.log.page(tx, tenantId, cursor.position, zoneIds);
      const oldest = await this.log.oldest(tx, tenantId);
      const kept = oldest === undefined ? end : firstPosition(oldest) - 1;
      if (cursor.position < kept) throw gone();
      return { rows: found.rows, lookedUpTo: found.end, last: end };
    });
    const shown = rows.filter(({ zoneId, publication }) => publication === null && view.isShown(zoneId));
    const known = await this.reads.run((tx) => this.eventsOf(tx, shown, cursor.position, view));
    const events: EventWithCursor[] = [];
    let behind = cursor;
    for (const row of rows) {
      if (row.publication !== null) {
        behind = { position: row.position, event: eventAt(row, row.position) };
        const event = this.noticeIn(row.publication, view);
        if (event !== null) events.push({ cursor: behind, ...event });
        continue;
      }
      for (let position = Math.max(cursor.position + 1, firstPosition(row)); position <= row.position; position += 1) {
        const number = numberAt(row, position);
        const ofZone = known.get(row.zoneId);
        if (view.isShown(row.zoneId) && (ofZone === undefined || number > ofZone.upTo))
          return { events, behind, mayGoOn: true };
        behind = { position, event: eventAt(row, position) };
        const event = view.isShown(row.zoneId) ? ofZone?.events.get(number) : undefined;
        if (event !== undefined) events.push({ cursor: behind, ...event });
      }
    }
    if (rows.length === PAGE_ROWS) return { events, behind, mayGoOn: true };
    if (lookedUpTo !== null) return { events, behind: { position: lookedUpTo, event: null }, mayGoOn: true };
    return { events, behind: last > behind.position ? { position: last, event: null } : behind, mayGoOn: false };
  }

  /** Returns `null` if the token of the caller excludes the zone. */
  private noticeIn(json: string, view: EventView): Pick<EventWithCursor, 'type' | 'text'> | null {
    // Only `EventLog` writes the column.
    const notice = JSON.parse(json) as ZoneNotice;
    if (!view.note(notice)) return null;
    const event = this.options.events.noticeEventOf(notice);
    return { type: event.type, text: JSON.stringify(event) };
  }

  private async eventsOf(
    tx: Transaction,
    rows: readonly EventLogRowEntity[],
    behind: number,
    view: EventView,
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
        if (!view.note(entry)) break;
        const event = this.options.events.eventOf(entry);
        const text = JSON.stringify(event);
        length += text.length;
        events.set(entry.number, { type: event.type, text });
      }
      known.set(zoneId, { events, upTo: mayGoOn ? (entries.at(-1)?.number ?? end) : end });
    }
    return known;
  }
}

/** Events of one zone by number, complete up to `upTo`. */
interface KnownEvents {
  readonly events: ReadonlyMap<number, Pick<EventWithCursor, 'type' | 'text'>>;
  readonly upTo: number;
}

const MOST_ZONES = 10_000;

/** Views with the same `key` show the same events. */
export class EventView {
  readonly key: string;
  readonly tenantId: string;
  private readonly hidden = new Set<string>();

  /** @param zoneIds `null`: all zones */
  constructor(
    private readonly caller: Caller,
    readonly zoneIds: readonly string[] | null,
  ) {
    this.tenantId = caller.tenantId;
    const shown = [caller.tenantId, zoneIds?.toSorted() ?? null, caller.restrictions?.domains?.toSorted() ?? null];
    this.key = createHash('sha256').update(JSON.stringify(shown)).digest('base64');
  }

  /** Also `true` while unknown. */
  isShown(zoneId: string): boolean {
    return !this.hidden.has(zoneId);
  }

  /** Returns whether the token of the caller covers the zone. */
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
    'Last-Event-ID: unknown event; send none to start now, or 0 to start with the oldest event.',
  );
}

function gone(): ServiceError {
  return new ServiceError(
    'events_gone',
    'Later events have been removed; read the current state and reconnect without Last-Event-ID.',
  );
}

/** Position of a reader: after this event. */
export interface EventCursor {
  readonly position: number;
  /** The event as `<zone id>:<number>`; `null` if the reader has not received it. */
  readonly event: string | null;
}

const ID = /^(0|[1-9]\d{0,14})(?:-([0-9a-f-]{36}:-?[1-9]\d{0,15}))?$/;

export function writeEventId({ position, event }: EventCursor): string {
  return event === null ? String(position) : `${position}-${event}`;
}

export function readEventId(text: string): EventCursor | null {
  const [, position, event = null] = ID.exec(text) ?? [];
  return position === undefined ? null : { position: Number(position), event };
}

export function eventAt(row: EventLogRowEntity, position: number): string {
  return `${row.zoneId}:${numberAt(row, position)}`;
}

/** Returns its journal number; negative for a notice. */
export function numberAt({ firstNumber, entries, position: last }: EventLogRowEntity, position: number): number {
  return firstNumber + entries - 1 - (last - position);
}

export function firstPosition({ position, entries }: EventLogRowEntity): number {
  return position - entries + 1;
}
