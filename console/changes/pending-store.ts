import { useSyncExternalStore } from 'react';
import { NOTHING_PENDING, type Pending } from './pending.js';

const PREFIX = 'zonewright.pending.';
const listeners = new Set<() => void>();
/** What was read from the storage of the tab, so that it is the same object until it changes. */
const known = new Map<string, Pending>();
const unkept = new Set<string>();

/** The changes gathered for a zone, which outlive navigation, reload and the session. Record data is no secret. */
export function usePending(place: string): Pending {
  return useSyncExternalStore(listen, () => pendingAt(place));
}

export function pendingAt(place: string): Pending {
  const kept = known.get(place);
  if (kept !== undefined) return kept;
  const read = readPending(sessionStorage.getItem(PREFIX + place));
  known.set(place, read);
  return read;
}

export function changePending(place: string, change: (pending: Pending) => Pending): void {
  const next = change(pendingAt(place));
  known.set(place, next);
  keep(place, next);
  for (const tell of listeners) tell();
}

/** Whether it would be lost with the page, because the storage of the tab has no room for it. */
export const isUnkept = (place: string): boolean => unkept.has(place);

function keep(place: string, pending: Pending): void {
  unkept.delete(place);
  // What was kept before would be taken for what there is.
  sessionStorage.removeItem(PREFIX + place);
  if (pending.entries.length === 0) return;
  try {
    sessionStorage.setItem(PREFIX + place, JSON.stringify(pending));
  } catch {
    unkept.add(place);
  }
}

/** Whoever signs out leaves nothing behind. */
export function forgetAllPending(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  known.clear();
  unkept.clear();
  for (const tell of listeners) tell();
}

function readPending(text: string | null): Pending {
  if (text === null) return NOTHING_PENDING;
  try {
    const read = JSON.parse(text) as Pending;
    return Array.isArray(read.entries) && read.base !== null ? read : NOTHING_PENDING;
  } catch {
    return NOTHING_PENDING;
  }
}

function listen(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}
