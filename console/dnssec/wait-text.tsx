import { Link } from 'wouter';
import type { Dnssec } from '../api/types.js';
import { ExactMoment } from '../parts/moment.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';

interface Props {
  readonly dnssec: Dnssec;
  readonly way: 'sign' | 'leave' | 'rollover';
}

/** What the zone waits for, with the local time if it is known. */
export function WaitText({ dnssec: { waits_on: event, waits_until: until }, way }: Props) {
  const { zone } = useOpenZone();
  const texts: Readonly<Partial<Record<NonNullable<Dnssec['waits_on']>, string>>> = words.dnssec.waits[way];
  if (event === null) return null;
  const text = event === 'signatures' ? words.dnssec.waits.signatures : texts[event];
  if (text === undefined) return null;
  return (
    <p className="prose">
      {text} {until !== null && <ExactMoment at={until} />}
      {until !== null && '.'}
      {event === 'name_servers' && <Link href={zoneAddress(zone.name, 'health')}>{words.dnssec.showServers}</Link>}
    </p>
  );
}
