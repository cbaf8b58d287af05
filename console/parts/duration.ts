const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const PART = /(\d{1,10})\s*(s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|w|weeks?)(?![a-z])\s*/y;

/** Reads seconds (`300`) and durations (`5m`, `1h30m`, `1 day`). `null` for other texts. */
export function secondsIn(typed: string): number | null {
  const text = typed.trim().toLowerCase();
  if (/^\d{1,10}$/.test(text)) return Number(text);
  let seconds = 0;
  let isRead = false;
  PART.lastIndex = 0;
  for (let end = 0; end < text.length; isRead = true) {
    // `1h30m` has no boundary between its parts.
    const [part, digits = '', unit = ''] = PART.exec(text) ?? [];
    if (part === undefined) return null;
    seconds += Number(digits) * (UNITS[unit.charAt(0)] ?? 0);
    end = PART.lastIndex;
  }
  return isRead ? seconds : null;
}

/** A typed time: a duration from now, a local date and time, or a time that the service reads. */
export function timeIn(typed: string, now: Date): string {
  const text = typed.trim();
  const seconds = secondsIn(text);
  const [, day, minute = '00:00'] = /^(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
  if (seconds === null && day === undefined) return text;
  const time = seconds === null ? new Date(`${day}T${minute}`) : new Date(now.getTime() + seconds * 1000);
  return Number.isNaN(time.getTime()) ? text : `${time.toISOString().slice(0, 19)}Z`;
}
