import './progress-chip.css';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { Link } from 'wouter';
import { usePublication, useWhoami } from '../api/queries.js';
import type { Publication, Zone } from '../api/types.js';
import { Icon } from '../parts/icon.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { healthAddress } from '../zones/zone-address.js';
import { hasArrived, isEverywhere, secondsUntilLive } from './arrival.js';
import { timeOfSerial } from './plan-requests.js';

interface Props {
  readonly zone: Pick<Zone, 'id' | 'name'>;
  readonly size: number;
  readonly serial: number;
}

/** Name servers that are drawn; others are counted. */
const DRAWN = 4;

/** The applied change on its way to the name servers. */
export function ProgressChip({ zone, size, serial }: Props) {
  const { data: whoami } = useWhoami();
  return (
    <div className="progress">
      <span>{words.applied.done(size, serial)}</span>
      {whoami?.service.publishes === true && <Arrival zone={zone} serial={serial} />}
    </div>
  );
}

function Arrival({ zone, serial }: Omit<Props, 'size'>) {
  const isReached = useCallback((publication: Publication) => isEverywhere(publication, serial), [serial]);
  const { data } = usePublication(zone.id, true, isReached);
  const isLive = data !== undefined && isReached(data);
  const { data: changedAt, isPending } = useQuery({
    queryKey: ['history', zone.id, 'time', serial],
    queryFn: ({ signal }) => timeOfSerial(zone.id, serial, signal),
    retry: false,
    enabled: isLive,
  });
  if (data === undefined || data.servers.length === 0) return null;
  const arrived = data.servers.filter((server) => hasArrived(server, serial)).length;
  const seconds = isLive && !isPending ? secondsUntilLive(data, changedAt ?? null) : null;
  const { servers, everywhere, everywhereIn, seconds: inSeconds } = words.applied;
  return (
    <>
      <ul aria-label={words.applied.progress}>
        {data.servers.slice(0, DRAWN).map((server) => (
          <Step key={server.address} server={server} isThere={hasArrived(server, serial)} />
        ))}
        {data.servers.length > DRAWN && <li>{words.applied.more(data.servers.length - DRAWN)}</li>}
      </ul>
      <Link href={healthAddress(zone.name)}>
        {!isLive
          ? servers(arrived, data.servers.length)
          : seconds === null
            ? everywhere
            : everywhereIn(inSeconds(seconds))}
      </Link>
    </>
  );
}

interface StepProps {
  readonly server: Publication['servers'][number];
  readonly isThere: boolean;
}

function Step({ server: { address, state }, isThere }: StepProps) {
  const { states } = words.publication;
  const isTrouble = !isThere && (state === 'unreachable' || state === 'inconsistent');
  const says = isThere ? states.current : isTrouble ? states[state] : words.applied.waiting;
  return (
    <li className={isThere ? 'there' : isTrouble ? 'trouble-step' : 'waiting'} title={says}>
      <Icon name={isThere ? 'done' : isTrouble ? 'warn' : 'waiting'} />
      <ShownText text={address} longest={80} /> <span className="visually-hidden">{says}</span>
    </li>
  );
}
