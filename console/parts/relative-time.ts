import { words } from '../words/index.js';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
/** Beyond this a date says more than a number of days. */
const FAR = 30 * DAY;

/** `4 min ago`, `in 3 days`; `null`: so far away that its date is better. */
export function relativeTime(instant: Date, now: Date): string | null {
  const moment = words.moment;
  const distance = instant.getTime() - now.getTime();
  const length = Math.abs(distance);
  if (length >= FAR) return null;
  if (length < MINUTE) return distance > MINUTE / 4 ? moment.future(moment.minutes(1)) : moment.now;
  const text =
    length < HOUR
      ? moment.minutes(Math.floor(length / MINUTE))
      : length < DAY
        ? moment.hours(Math.floor(length / HOUR))
        : moment.days(Math.floor(length / DAY));
  return distance < 0 ? moment.past(text) : moment.future(text);
}
