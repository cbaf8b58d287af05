import type { Instant } from '../common/clock.js';

const DURATION = /^([1-9][0-9]{0,5})([smhdw])$/;
const UNIT_MILLISECONDS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A span from `now` (`30d`) or a date (`2027-01-31T00:00:00Z`), as an instant. @throws Error for anything else */
export function parseExpiry(text: string, now: number): Instant {
  const [, count, unit] = DURATION.exec(text) ?? [];
  const milliseconds =
    count !== undefined && unit !== undefined ? now + Number(count) * (UNIT_MILLISECONDS[unit] ?? 0) : Date.parse(text);
  if (Number.isNaN(milliseconds))
    throw new Error(`--expires ${JSON.stringify(text)}: write 30d, 12h, 45m or a date such as 2027-01-31T00:00:00Z`);
  return milliseconds * 1000;
}
