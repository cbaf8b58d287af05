import type { Instant } from '../common/clock.js';

/** A moment of a zone's past: when a serial was the zone's, or a time. */
export type Moment = { readonly serial: number } | { readonly at: Instant };

const MODULUS = 2 ** 32;

/** How far a serial lies behind a later one, which it may have overtaken since (RFC 1982 §3). */
export function stepsBehind(serial: number, later: number): number {
  return (later - serial + MODULUS) % MODULUS;
}
