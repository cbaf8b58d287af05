import { quoted } from '../name.js';
import { periodInSeconds } from '../rdata/period.js';
import { EntryError } from './entry-error.js';
import type { EntryToken } from './entry-scanner.js';

/** RFC 2181 §8. */
export const MAX_TTL = 0x7fffffff;

/**
 * Reads a TTL, in seconds or with units like 1h30m; returns seconds.
 * @throws EntryError
 */
export function parseTtl({ text, at }: EntryToken): number {
  const seconds = /^[0-9]{1,10}$/.test(text) ? Number(text) : periodInSeconds(text);
  if (seconds !== undefined && seconds <= MAX_TTL) return seconds;
  throw new EntryError(`${quoted(text)} is not a TTL: write seconds from 0 to ${MAX_TTL}, or a time like 1h30m`, at);
}
