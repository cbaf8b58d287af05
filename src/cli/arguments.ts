import { type Instant, readInstant } from '../common/clock.js';
import { readRestrictions } from '../auth/scopes/token-scope.js';

/** The arguments and options that a command was called with. */
export interface CommandRequest<Options> {
  readonly arguments: readonly string[];
  readonly options: Options;
}

const DURATION = /^([1-9][0-9]{0,5})([smhdw])$/;
const UNIT_MILLISECONDS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Parses a duration (`30d`) or a date (`2027-01-31T00:00:00Z`). @throws Error for anything else */
export function parseExpiry(text: string, now: number): Instant {
  const [, count, unit] = DURATION.exec(text) ?? [];
  const milliseconds =
    count !== undefined && unit !== undefined ? now + Number(count) * (UNIT_MILLISECONDS[unit] ?? 0) : Date.parse(text);
  if (Number.isNaN(milliseconds))
    throw new Error(`--expires ${JSON.stringify(text)}: write 30d, 12h, 45m or a date such as 2027-01-31T00:00:00Z`);
  return milliseconds * 1000;
}

const DIGITS = /^\d{1,16}$/;

export function parseNumber(option: string, text: string, min: number, max: number): number {
  const number = DIGITS.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw new Error(`${option} ${JSON.stringify(text)}: write a number from ${min} to ${max}`);
}

export function parseTime(option: string, text: string): Instant {
  const instant = readInstant(text);
  if (instant === null) throw new Error(`${option} ${JSON.stringify(text)}: write a time such as 2026-11-20T08:30:00Z`);
  return instant;
}

export type List = readonly string[] | undefined;

/** Splits `create,delete` into two entries. */
export function entriesOf(list: List): string[] | undefined {
  return list?.flatMap((text) => text.split(','));
}

export function shownLimits(restrictions: string | null): string[] {
  const lists = restrictions === null ? [] : Object.entries(readRestrictions(restrictions));
  return lists.flatMap(([field, list]: [string, readonly string[] | null]) =>
    list === null ? [] : [`${field}=${list.join(',')}`],
  );
}
