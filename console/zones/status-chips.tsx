import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'wouter';
import { usePublication, useSigning, useWhoami, useZoneCheck } from '../api/queries.js';
import type { Dnssec } from '../api/types.js';
import { words } from '../words/index.js';
import { zoneAddress } from './zone-address.js';
import { useOpenZone } from './zone-context.js';

/** The state of the zone at a glance. Each chip leads to its cause; color marks exceptions. */
export function StatusChips() {
  const { secondary } = useOpenZone();
  return (
    <ul className="status-chips" aria-label={words.zoneHeader.status}>
      {secondary !== null && <Chip page="health">{words.secondary.badge}</Chip>}
      <LiveChip />
      {secondary === null && <DnssecChip />}
      <CheckChip />
    </ul>
  );
}

interface ChipProps {
  readonly page: 'health' | 'dnssec';
  readonly look?: 'warn' | 'bad';
  readonly children: ReactNode;
}

function Chip({ page, look, children }: ChipProps) {
  const { zone } = useOpenZone();
  return (
    <li>
      <Link href={zoneAddress(zone.name, page)} className={look === undefined ? 'status-chip' : `status-chip ${look}`}>
        {children}
      </Link>
    </li>
  );
}

/** How often the chip asks while name servers lack the zone, in milliseconds. */
const LOOK_AGAIN = 5000;

function LiveChip() {
  const { zone } = useOpenZone();
  const { data: whoami } = useWhoami();
  const { data } = usePublication(zone.id, true, undefined, LOOK_AGAIN, whoami?.service.publishes === true);
  if (data === undefined || data.servers.length === 0) return null;
  const current = data.servers.filter(({ state }) => state === 'current').length;
  return (
    <Chip page="health" {...(current < data.servers.length && { look: 'warn' })}>
      {words.zoneHeader.live(current, data.servers.length)}
    </Chip>
  );
}

const DNSSEC_LOOKS: Readonly<Partial<Record<Dnssec['state'], 'warn' | 'bad'>>> = { ready: 'warn', halted: 'bad' };

function DnssecChip() {
  const zone = useOpenZone();
  const { data } = useSigning(zone);
  const state = data?.state ?? zone.signing;
  if (state === undefined) return null;
  if (data?.state === 'leaving' && data.waits_on === 'parent')
    return (
      <Chip page="dnssec" look="warn">
        {words.zoneHeader.removeDs}
      </Chip>
    );
  const look = DNSSEC_LOOKS[state];
  return (
    <Chip page="dnssec" {...(look && { look })}>
      {words.zoneHeader.dnssec[state]}
    </Chip>
  );
}

/** The check reads every record, so it waits until the page is there, and a person asks for that of a large zone. */
const AFTER = 1000;
const LARGE = 20_000;

function CheckChip() {
  const { zone, records } = useOpenZone();
  const [isTime, setTime] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setTime(true), AFTER);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useZoneCheck(zone.id, isTime && records !== undefined && records <= LARGE);
  if (data === undefined) return null;
  const { errors, warnings } = data;
  return (
    <>
      {errors.length > 0 && (
        <Chip page="health" look="bad">
          {words.zoneHeader.errors(errors.length)}
        </Chip>
      )}
      {warnings.length > 0 && (
        <Chip page="health" look="warn">
          {words.zoneHeader.warnings(warnings.length)}
        </Chip>
      )}
    </>
  );
}
