const SHOWN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });

/** Times of the API are UTC without saying so. */
export const instantOf = (at: string): Date => new Date(/(Z|[+-]\d\d:\d\d)$/.test(at) ? at : `${at}Z`);

export const dayOf = (at: string): string => DAY.format(instantOf(at));

interface Props {
  readonly at: string;
}

/** A time where the reader is, and in UTC on hover. */
export const Moment = ({ at }: Props) => <Time at={at} format={SHOWN} />;

/** The same below the day that it is on. */
export const TimeOfDay = ({ at }: Props) => <Time at={at} format={TIME} />;

function Time({ at, format }: Props & { readonly format: Intl.DateTimeFormat }) {
  const instant = instantOf(at);
  const utc = `${instant.toISOString().replace('T', ' ').slice(0, 19)} UTC`;
  return (
    <time dateTime={instant.toISOString()} title={utc}>
      {format.format(instant)}
    </time>
  );
}
