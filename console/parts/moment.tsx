const SHOWN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });

/** Times of the API are UTC without saying so. */
export const instantOf = (at: string): Date => new Date(/(Z|[+-]\d\d:\d\d)$/.test(at) ? at : `${at}Z`);

export const dayOf = (at: string): string => DAY.format(instantOf(at));

/** A time where the reader is, and in UTC on hover. */
export function Moment({ at }: { readonly at: string }) {
  const instant = instantOf(at);
  const utc = `${instant.toISOString().replace('T', ' ').slice(0, 19)} UTC`;
  return (
    <time dateTime={instant.toISOString()} title={utc}>
      {SHOWN.format(instant)}
    </time>
  );
}
