import type { Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';

/** Position in the entries of all zones, ordered by its three fields. */
export interface TimeCursor {
  readonly at: Instant;
  /** A zone id for journal entries, otherwise the id of the entry. */
  readonly id: string;
  /** 0 for entries outside the journal. */
  readonly number: number;
}

const CURSOR = /^(\d{1,16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,16})$/;

/** `1763627400123456.019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4.4` */
export function formatCursor({ at, id, number }: TimeCursor): string {
  return `${at}.${id}.${number}`;
}

function readCursor(text: string): TimeCursor | null {
  const [, at, id, number] = CURSOR.exec(text) ?? [];
  if (at === undefined || id === undefined || number === undefined) return null;
  const cursor = { at: Number(at), id, number: Number(number) };
  return Number.isSafeInteger(cursor.at) && Number.isSafeInteger(cursor.number) ? cursor : null;
}

/** @param source what to send as the marker. @throws ServiceError `invalid_object` */
export function cursorOfMarker(marker: string | undefined, source = 'that of links.next'): TimeCursor | null {
  if (marker === undefined) return null;
  const cursor = readCursor(marker);
  if (cursor !== null) return cursor;
  throw ServiceError.ofField('invalid_object', 'marker', 'format', `marker: send ${source}.`);
}

/** Before all entries from `at` on, in descending order. */
export function beginningOf(at: Instant): TimeCursor {
  return { at, id: '', number: 0 };
}
