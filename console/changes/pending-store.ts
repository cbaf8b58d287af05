import { useSyncExternalStore } from 'react';
import { actingFor, actsForAll } from '../session/acting.js';
import { KEPT } from '../session/leaving.js';
import { NOTHING_PENDING, type Pending } from './pending.js';

const PREFIX = 'zonewright.pending.';
const ORIGIN = 'zonewright.pending-origin.';
const listeners = new Set<() => void>();
/** Caches parsed tab storage, so that the object stays identical until it changes. */
const known = new Map<string, Pending>();
const unkept = new Set<string>();
/** For a storage without room. */
const origins = new Map<string, Origin>();

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
  if (next.entries.length === 0) {
    origins.delete(place);
    sessionStorage.removeItem(ORIGIN + place);
  }
  notify();
}

function notify(): void {
  listed = null;
  for (const tell of listeners) tell();
}

/** Where pending changes were made. */
export interface Origin {
  readonly zone: string;
  /** The tenant that was acted for; `null`: that of the credential. */
  readonly tenant: string | null;
  /** Whether the zones of all tenants were shown. */
  readonly isForAll: boolean;
}

/** Keeps the zone of pending changes for pages of other zones. */
export function keepOrigin(place: string, zone: string): void {
  const origin: Origin = { zone, tenant: actingFor(), isForAll: actsForAll() };
  origins.set(place, origin);
  try {
    sessionStorage.setItem(ORIGIN + place, JSON.stringify(origin));
  } catch {
    // The changes of this zone are lost with the page too.
  }
  notify();
}

/** Pending changes of one zone, as the tray lists them. */
export interface Gathered {
  readonly place: string;
  readonly count: number;
  /** `null`: unknown. */
  readonly origin: Origin | null;
}

let listed: readonly Gathered[] | null = null;

/** Pending changes of all zones in this tab. */
export const useAllPending = (): readonly Gathered[] => useSyncExternalStore(listen, allPending);

function allPending(): readonly Gathered[] {
  listed ??= placesOf()
    .map((place) => ({ place, count: pendingAt(place).entries.length, origin: originOf(place) }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
  return listed;
}

/** The name of the zone, or else its ID. */
export const nameOf = ({ place, origin }: Gathered): string => origin?.zone ?? place.slice(place.indexOf('/') + 1);

function originOf(place: string): Origin | null {
  const known = origins.get(place);
  if (known !== undefined) return known;
  try {
    return JSON.parse(sessionStorage.getItem(ORIGIN + place) ?? 'null') as Origin | null;
  } catch {
    return null;
  }
}

function placesOf(): string[] {
  const kept = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX));
  return [...new Set([...known.keys(), ...kept.map((key) => key.slice(PREFIX.length))])];
}

/** Whether it would be lost with the page, because the storage of the tab has no room for it. */
export const isUnkept = (place: string): boolean => unkept.has(place);
/** Whether a reload would keep the changes of all zones. */
export const areAllKept = (): boolean => unkept.size === 0;

function keep(place: string, pending: Pending): void {
  unkept.delete(place);
  // A stale copy would be taken for the current one.
  sessionStorage.removeItem(PREFIX + place);
  if (pending.entries.length === 0) return;
  try {
    sessionStorage.setItem(PREFIX + place, JSON.stringify(pending));
  } catch {
    unkept.add(place);
  }
}

/** The number of pending changes in this tab, and of their zones. */
export function countPending(): { readonly changes: number; readonly zones: number } {
  const all = allPending();
  return { changes: all.reduce((sum, { count }) => sum + count, 0), zones: all.length };
}
export const useHasPending = (): boolean => useSyncExternalStore(listen, () => countPending().changes > 0);

/** Signing out deletes pending changes. */
export function forgetAllPending(): void {
  for (const key of Object.keys(sessionStorage))
    if ([PREFIX, ORIGIN, KEPT].some((prefix) => key.startsWith(prefix))) sessionStorage.removeItem(key);
  known.clear();
  origins.clear();
  unkept.clear();
  notify();
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
