import type { Instant } from '../../common/clock.js';

/** Where an entry is among those of all zones. The order is that of the three; no two entries have the same. */
export interface TimeCursor {
  readonly at: Instant;
  /** Of the zone, for what its journal tells; otherwise the entry's own. */
  readonly id: string;
  /** In the journal of the zone; otherwise 0. */
  readonly number: number;
}

const CURSOR = /^(\d{1,16})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,16})$/;

/** `1763627400123456.019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4.4` */
export function formatCursor({ at, id, number }: TimeCursor): string {
  return `${at}.${id}.${number}`;
}

/** Reads what `formatCursor` has written; `null` for all else. */
export function readCursor(text: string): TimeCursor | null {
  const [, at, id, number] = CURSOR.exec(text) ?? [];
  if (at === undefined || id === undefined || number === undefined) return null;
  const cursor = { at: Number(at), id, number: Number(number) };
  return Number.isSafeInteger(cursor.at) && Number.isSafeInteger(cursor.number) ? cursor : null;
}

/** Before everything from that instant on, seen from the latest. */
export function beginningOf(at: Instant): TimeCursor {
  return { at, id: '', number: 0 };
}
