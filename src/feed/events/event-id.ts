import type { EventLogRowEntity } from './event-log-row.entity.js';

/** Where a reader is: behind the event at that position. */
export interface EventCursor {
  readonly position: number;
  /** What the event was, `<zone id>:<number>`; `null` where the reader has not been told. */
  readonly event: string | null;
}

const ID = /^(0|[1-9]\d{0,14})(?:-([0-9a-f-]{36}:-?[1-9]\d{0,14}))?$/;

/** The cursor as an id of the stream, which means nothing to others. */
export function writeEventId({ position, event }: EventCursor): string {
  return event === null ? String(position) : `${position}-${event}`;
}

/** `null` for what was never an id. */
export function readEventId(text: string): EventCursor | null {
  const [, position, event = null] = ID.exec(text) ?? [];
  return position === undefined ? null : { position: Number(position), event };
}

/** The zone and entry at that position of the row. */
export function eventAt(row: EventLogRowEntity, position: number): string {
  return `${row.zoneId}:${numberAt(row, position)}`;
}

/** Its number in the journal of the zone; below zero where it tells of a publication. */
export function numberAt({ firstNumber, entries, position: last }: EventLogRowEntity, position: number): number {
  return firstNumber + entries - 1 - (last - position);
}

/** The position of the first event of the row. */
export function firstPosition({ position, entries }: EventLogRowEntity): number {
  return position - entries + 1;
}
