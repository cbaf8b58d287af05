import { Injectable } from '@nestjs/common';

/** Microseconds since 1970-01-01T00:00:00Z; an integer far below 2^53. */
export type Instant = number;

/** Between two instants, in the microseconds that they are counted in. */
export const SECOND: Instant = 1_000_000;
export const DAY: Instant = 86_400_000_000;

/** Where the time comes from; a port, so that a test can hold it still. */
export abstract class Clock {
  abstract now(): Instant;
}

/** How far the monotonic clock may stray from the system's before it is set anew: 2 ms. */
const MAX_DRIFT = 2000;

/** The system's time, refined by the monotonic clock to real microseconds. */
@Injectable()
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

/** The second that was formatted last: what is listed together was often made together. */
let latest = { second: NaN, text: '' };

/** 000 to 999. V8 puts every number that becomes a string among what lives long: a list of a million would show. */
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'));

/** ISO 8601 without zone, with six decimals, as interface §2.1 shows it; the time is UTC. */
export function formatInstant(instant: Instant): string {
  const second = toUnixSeconds(instant);
  if (second !== latest.second) latest = { second, text: new Date(second * 1000).toISOString().slice(0, 19) };
  const micros = instant - second * 1_000_000;
  return `${latest.text}.${threeDigits(micros / 1000)}${threeDigits(micros % 1000)}`;
}

function threeDigits(number: number): string {
  return THREE_DIGITS[Math.floor(number)] ?? '';
}

/** Reads what `formatInstant` has written. */
export function parseInstant(text: string): Instant {
  return Date.parse(`${text.slice(0, 19)}Z`) * 1000 + Number(text.slice(20));
}

const WRITTEN = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?(Z|[+-]\d\d:\d\d)?$/;

/** Reads what a person or a program has written: ISO 8601, UTC unless an offset says otherwise; `null` for all else. */
export function readInstant(text: string): Instant | null {
  const [, seconds = '', fraction = '', offset = 'Z'] = WRITTEN.exec(text) ?? [];
  const utc = Date.parse(`${seconds}Z`);
  const milliseconds = Date.parse(seconds + offset);
  // `Date` takes the 30th of February for a day in March.
  if (Number.isNaN(milliseconds) || !new Date(utc).toISOString().startsWith(seconds)) return null;
  return milliseconds * 1000 + Number(fraction.padEnd(6, '0'));
}

/** Whole seconds since 1970, the unit of serials and expiry. */
export function toUnixSeconds(instant: Instant): number {
  return Math.floor(instant / 1_000_000);
}
