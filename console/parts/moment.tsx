import type { ReactNode } from 'react';
import { words } from '../words/index.js';
import { relativeTime } from './relative-time.js';
import { useNow } from './use-now.js';

const SHOWN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const DATE = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
const HOVER = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long' });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });

/** Times of the API are UTC without saying so. */
export const instantOf = (at: string): Date => new Date(/(Z|[+-]\d\d:\d\d)$/.test(at) ? at : `${at}Z`);

/** The local day: today, yesterday or its date. */
export function dayOf(at: string, now: Date): string {
  const day = DAY.format(instantOf(at));
  if (day === DAY.format(now)) return words.moment.today;
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  return day === DAY.format(yesterday) ? words.moment.yesterday : day;
}

interface Props {
  readonly at: string;
}

/** The time from now, with the exact local time on hover and for screen readers. */
export function Moment({ at }: Props) {
  const now = useNow();
  const instant = instantOf(at);
  const relative = relativeTime(instant, now);
  return (
    <Time instant={instant}>
      {relative ?? DATE.format(instant)}
      <span className="visually-hidden">{words.moment.exact(SHOWN.format(instant))}</span>
    </Time>
  );
}

/** The local time itself, for times that a person acts on. */
export function ExactMoment({ at }: Props) {
  const instant = instantOf(at);
  return <Time instant={instant}>{SHOWN.format(instant)}</Time>;
}

function Time({ instant, children }: { readonly instant: Date; readonly children: ReactNode }) {
  return (
    <time dateTime={instant.toISOString()} title={HOVER.format(instant)}>
      {children}
    </time>
  );
}
