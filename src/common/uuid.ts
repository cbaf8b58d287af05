import { randomFillSync } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';
import type { Instant } from './clock.js';

const CANONICAL_LENGTH = 36;
/** The library's 32-bit sequence starts with the twelve bits that follow the timestamp. */
const FRACTION_SHIFT = 2 ** 20;
const DASHED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const PLAIN = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Lower case with dashes for any spelling of a UUID, `null` for everything else (behaviour 1.5). */
export function canonicalUuid(text: string): string | null {
  if (text.length > CANONICAL_LENGTH) return null;
  const lower = text.toLowerCase();
  if (DASHED.test(lower)) return lower;
  const groups = PLAIN.exec(lower);
  return groups === null ? null : groups.slice(1).join('-');
}

/**
 * A UUIDv7 whose order is the order of `instant`, to the microsecond: the fraction of the millisecond fills the
 * twelve bits after the timestamp (RFC 9562 §6.2, method 3). Instants that grow make ids that grow.
 */
export function timeOrderedUuid(instant: Instant): string {
  const fraction = Math.floor(((instant % 1000) * 4096) / 1000);
  return uuidV7({ msecs: Math.floor(instant / 1000), seq: fraction * FRACTION_SHIFT, random: randomOctets() });
}

const RANDOM_LENGTH = 16;
/** Asking the system costs the same for many as for one. */
const pool = new Uint8Array(256 * RANDOM_LENGTH);
let used = pool.length;

/** Octets that were never handed out before. */
function randomOctets(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += RANDOM_LENGTH;
  return pool.subarray(used - RANDOM_LENGTH, used);
}
