import { quoted } from '../name.js';
import { periodInSeconds } from '../rdata/period.js';
import { EntryFault } from './entry-fault.js';
import type { Word } from './entry-scanner.js';

/** RFC 2181 §8. */
const MAX_TTL = 0x7fffffff;

/** Seconds, or a time like 1h30m. */
export function ttlOf({ text, at }: Word): number {
  const seconds = /^[0-9]{1,10}$/.test(text) ? Number(text) : periodInSeconds(text);
  if (seconds !== undefined && seconds <= MAX_TTL) return seconds;
  throw new EntryFault(`${quoted(text)} is no TTL: write seconds from 0 to ${MAX_TTL}, or a time like 1h30m`, at);
}
