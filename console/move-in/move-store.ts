import { useCallback, useSyncExternalStore } from 'react';
import { type Move, SOURCES, STEPS } from './move.js';

const PREFIX = 'zonewright.move-in.';
/** Moves of a tenant that the browser keeps. The oldest one makes room. */
export const MOST_MOVES = 20;
/** Characters of a zone file that outlive the page. */
export const LONGEST_TEXT = 524_288;

const listeners = new Set<() => void>();
/** Moves of this page, whose files may be too long for the storage of the browser. */
const known = new Map<string, Move>();
const lists = new Map<string, readonly Move[]>();

const keyOf = (tenant: string, domain: string): string =>
  `${PREFIX}${encodeURIComponent(tenant)}/${domain.toLowerCase()}`;

/** The moves of a tenant, the latest first. They outlive the page, but not a sign-out. */
export function useMoves(tenant: string): readonly Move[] {
  return useSyncExternalStore(
    listen,
    useCallback(() => movesOf(tenant), [tenant]),
  );
}

export function useMove(tenant: string, domain: string): Move | null {
  return useMoves(tenant).find((move) => move.domain === domain.toLowerCase()) ?? null;
}

export function moveOf(tenant: string, domain: string): Move | null {
  return movesOf(tenant).find((move) => move.domain === domain.toLowerCase()) ?? null;
}

export function keepMove(tenant: string, move: Move): void {
  const kept = { ...move, at: new Date().toISOString() };
  known.set(keyOf(tenant, move.domain), kept);
  write(keyOf(tenant, move.domain), kept);
  lists.delete(tenant);
  for (const { domain } of movesOf(tenant).slice(MOST_MOVES)) forgetMove(tenant, domain);
  tell();
}

export function forgetMove(tenant: string, domain: string): void {
  known.delete(keyOf(tenant, domain));
  localStorage.removeItem(keyOf(tenant, domain));
  tell();
}

/** Signing out deletes all moves, as it deletes pending changes. */
export function forgetAllMoves(): void {
  for (const key of keptKeys(PREFIX)) localStorage.removeItem(key);
  known.clear();
  tell();
}

/** Moves in this browser. */
export const countMoves = (): number => new Set([...known.keys(), ...keptKeys(PREFIX)]).size;

/** Whether the zone file would be lost with the page. */
export const isTooLong = ({ text }: Move): boolean => text.length > LONGEST_TEXT;

function write(key: string, move: Move): void {
  try {
    localStorage.setItem(key, JSON.stringify(isTooLong(move) ? { ...move, text: '' } : move));
  } catch {
    // The storage is full: a stale copy would be taken for the current one.
    localStorage.removeItem(key);
  }
}

function movesOf(tenant: string): readonly Move[] {
  const cached = lists.get(tenant);
  if (cached !== undefined) return cached;
  const prefix = keyOf(tenant, '');
  const ofPage = [...known].filter(([key]) => key.startsWith(prefix));
  const stored = keptKeys(prefix).flatMap((key) => (known.has(key) ? [] : readMove(localStorage.getItem(key))));
  const moves = [...ofPage.map(([, move]) => move), ...stored].sort((a, b) => b.at.localeCompare(a.at));
  lists.set(tenant, moves);
  return moves;
}

const keptKeys = (prefix: string): string[] => Object.keys(localStorage).filter((key) => key.startsWith(prefix));

function readMove(text: string | null): Move[] {
  try {
    const read = JSON.parse(text ?? '') as Move;
    const isWhole =
      [read.domain, read.email, read.text, read.at].every((one) => typeof one === 'string') &&
      Array.isArray(read.servers) &&
      Array.isArray(read.done) &&
      SOURCES.includes(read.source) &&
      STEPS.includes(read.step) &&
      (read.dsUntil === null || typeof read.dsUntil === 'string');
    return isWhole ? [read] : [];
  } catch {
    return [];
  }
}

function tell(): void {
  lists.clear();
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', learn);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener('storage', learn);
  };
}

/** Another tab has changed a move. */
function learn({ key }: StorageEvent): void {
  if (key === null) known.clear();
  else known.delete(key);
  tell();
}
