import { type Instant, readInstant } from '../common/clock.js';

/** @throws Error that names the option */
export function parseTime(option: string, text: string): Instant {
  const instant = readInstant(text);
  if (instant === null) throw new Error(`${option} ${JSON.stringify(text)}: write a time such as 2026-11-20T08:30:00Z`);
  return instant;
}
