/** Microseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

/** In microseconds. */
export const SECOND: Instant = 1_000_000;
export const DAY: Instant = 86_400_000_000;

/** Port for the time, so that tests can stop it. */
export abstract class Clock {
  abstract now(): Instant;
}

/** In microseconds, between the monotonic and the system clock. */
const MAX_DRIFT = 2000;

export class SystemClock extends Clock {
  private offset = systemTime() - monotonicTime();

  override now(): Instant {
    const system = systemTime();
    const refined = this.offset + monotonicTime();
    if (Math.abs(refined - system) <= MAX_DRIFT) return Math.floor(refined);
    this.offset = system - monotonicTime();
    return system;
  }
}

function systemTime(): number {
  return Date.now() * 1000;
}

function monotonicTime(): number {
  return performance.now() * 1000;
}

/** Cache of the last formatted second: listed rows often share it. */
let latest = { second: NaN, text: '' };

/** V8 caches each number that it converts to a string, which costs memory in lists of a million rows. */
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

/** ISO 8601 in UTC without zone, with six decimals (interface §2.1). */
export function formatInstant(instant: Instant): string {
  const second = toUnixSeconds(instant);
  if (second !== latest.second) latest = { second, text: new Date(second * 1000).toISOString().slice(0, 19) };
  const micros = instant - second * 1_000_000;
  return `${latest.text}.${threeDigits(micros / 1000)}${threeDigits(micros % 1000)}`;
}

export function formatInstantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}

function threeDigits(number: number): string {
  return THREE_DIGITS[Math.floor(number)] ?? '';
}

export function parseInstant(text: string): Instant {
  return Date.parse(`${text.slice(0, 19)}Z`) * 1000 + Number(text.slice(20));
}

const WRITTEN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)?$/;

/** Parses ISO 8601 in UTC by default. Returns `null` for other texts. */
export function readInstant(text: string): Instant | null {
  const [, seconds = '', fraction = '', offset = 'Z'] = WRITTEN.exec(text) ?? [];
  const utc = Date.parse(`${seconds}Z`);
  const milliseconds = Date.parse(seconds + offset);
  // `Date` accepts February 30 as a day in March.
  if (Number.isNaN(milliseconds) || !new Date(utc).toISOString().startsWith(seconds)) return null;
  return milliseconds * 1000 + Number(fraction.padEnd(6, '0'));
}

export function toUnixSeconds(instant: Instant): number {
  return Math.floor(instant / 1_000_000);
}
