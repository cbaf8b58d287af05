import { createHash, randomFillSync } from 'node:crypto';
import type { Instant } from './clock.js';

const OCTETS = 16;
const CANONICAL_LENGTH = 36;
const DASHED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const PLAIN = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Normalizes a UUID to lower case with dashes; `null` for other texts (behaviour 1.5). */
export function canonicalUuid(text: string): string | null {
  if (text.length > CANONICAL_LENGTH) return null;
  const lower = text.toLowerCase();
  if (DASHED.test(lower)) return lower;
  const groups = PLAIN.exec(lower);
  return groups === null ? null : groups.slice(1).join('-');
}

/** Returns a UUIDv7 that sorts by microsecond. The fraction follows the timestamp (RFC 9562 §6.2, method 3). */
export function timeOrderedUuid(instant: Instant): string {
  const octets = randomOctets();
  octets.writeUIntBE(Math.floor(instant / 1000), 0, 6);
  octets.writeUInt16BE(Math.floor(((instant % 1000) * 4096) / 1000), 6);
  return spelled(octets, 7);
}

/** Returns the UUIDv5 of a domain name (RFC 9562 §5.5). */
export function uuidOfName(name: string): string {
  const digest = createHash('sha1').update(NAMESPACE_DNS).update(name).digest();
  return spelled(digest.subarray(0, OCTETS), 5);
}

const NAMESPACE_DNS = Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex');

function spelled(octets: Buffer, version: number): string {
  octets.writeUInt8((version << 4) | (octets.readUInt8(6) & 0x0f), 6);
  octets.writeUInt8(0x80 | (octets.readUInt8(8) & 0x3f), 8);
  const hex = octets.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** One system call fills it. */
const pool = Buffer.alloc(256 * OCTETS);
let used = pool.length;

function randomOctets(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += OCTETS;
  return pool.subarray(used - OCTETS, used);
}
