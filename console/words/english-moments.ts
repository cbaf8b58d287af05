import { count } from './numbers.js';

/** The words of times that are told from now. */
export const englishMoments = {
  now: 'just now',
  minutes: (n: number) => `${n} min`,
  hours: (n: number) => `${n} h`,
  days: (n: number) => count(n, 'day', 'days'),
  past: (length: string) => `${length} ago`,
  future: (length: string) => `in ${length}`,
  /** For screen readers, after a relative time. */
  exact: (time: string) => `, ${time}`,
  today: 'Today',
  yesterday: 'Yesterday',
};
