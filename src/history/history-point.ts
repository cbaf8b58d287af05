import type { Instant } from '../common/clock.js';

/** A moment of a zone's past: when a serial was the zone's, a time, or the end of a step that is known to have been there. */
export type HistoryPoint = { readonly serial: number } | { readonly at: Instant } | JournalStep;

/** A step of the journal, and the zone's serial after it. */
export interface JournalStep {
  readonly number: number;
  readonly serial: number;
}

const MODULUS = 2 ** 32;

/** How far a serial lies behind a later one, which it may have overtaken since (RFC 1982 §3). */
export function stepsBehind(serial: number, later: number): number {
  return (later - serial + MODULUS) % MODULUS;
}
