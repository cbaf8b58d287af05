import { Link } from 'wouter';
import { useTitle } from '../frame/title.js';
import { Empty } from '../parts/empty.js';
import { Moment } from '../parts/moment.js';
import { Fact, ServerCard, TimeFact } from '../parts/server-card.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { type NameServer, useLackingZones, useNameServers, useServerOfZone } from './use-name-servers.js';

/** The name servers of the pool, each with the zones that it lacks. */
export function NameServersPage() {
  useTitle(words.nameServers.heading);
  const { data: servers, error, failureReason, refetch } = useNameServers();
  const trouble = error ?? failureReason;
  return (
    <>
      <h1>{words.nameServers.heading}</h1>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {servers === undefined && trouble === null && <Skeleton rows={6} columns={[1, 2]} />}
      {servers?.length === 0 && (
        <Empty
          icon="servers"
          actions={[
            { label: words.states.go.zones, to: '/zones' },
            { label: words.states.go.usage, to: '/quotas' },
          ]}
        >
          {words.publication.off}
        </Empty>
      )}
      {servers !== undefined && servers.length > 0 && (
        <ul className="server-cards" aria-label={words.nameServers.heading}>
          {servers.map((server) => (
            <PoolServer key={server.address} server={server} />
          ))}
        </ul>
      )}
    </>
  );
}

function PoolServer({ server }: { readonly server: NameServer }) {
  const { address, last_answer: lastAnswer, unreachable_since: unreachableSince } = server;
  const { data: lacking, error: trouble } = useLackingZones(address);
  const { data: first } = useServerOfZone(address, lacking?.zones[0]?.id);
  const { facts } = words.nameServers;
  const state = stateOf(server, lacking?.total);
  const behindSince = first?.behind_since ?? null;
  const lastError = server.error ?? first?.error ?? null;
  return (
    <ServerCard level={2} address={address} state={{ label: words.nameServers.states[state], look: LOOKS[state] }}>
      {trouble !== null && <Trouble isRetried error={trouble} />}
      <dl className="facts">
        <Fact label={facts.behind}>
          {lacking === undefined ? words.common.loading : <Lacking address={address} {...lacking} />}
        </Fact>
        {behindSince !== null && <TimeFact label={facts.behindSince} at={behindSince} />}
        {unreachableSince !== null && <TimeFact label={facts.unreachableSince} at={unreachableSince} />}
        <Fact label={facts.lastAnswer}>{lastAnswer === null ? words.common.never : <Moment at={lastAnswer} />}</Fact>
        {lastError !== null && (
          <Fact label={facts.lastError}>
            <ShownText text={lastError} />
          </Fact>
        )}
      </dl>
      {lacking !== undefined && lacking.total > 0 && (
        <>
          <h3>{words.nameServers.zones}</h3>
          <ul>
            {lacking.zones.map(({ id, name }) => (
              <li key={id}>
                <Link href={zoneAddress(name, 'health')}>
                  <ShownText text={name} />
                </Link>
              </li>
            ))}
          </ul>
        </>
      )}
    </ServerCard>
  );
}

interface LackingProps {
  readonly address: string;
  readonly total: number;
  readonly isExact: boolean;
}

/** The number of the zones, which leads to all of them. */
function Lacking({ address, total, isExact }: LackingProps) {
  const text = isExact ? words.nameServers.total(total) : words.nameServers.moreThan(total);
  if (total === 0) return text;
  return <Link href={`/zones?${new URLSearchParams({ behind: address }).toString()}`}>{text}</Link>;
}

type State = keyof typeof words.nameServers.states;

const LOOKS: Readonly<Partial<Record<State, 'warn' | 'bad'>>> = { behind: 'warn', unreachable: 'bad' };

/** @param lacking the number of the zones that the server lacks; `undefined`: not counted yet */
function stateOf({ state }: NameServer, lacking: number | undefined): State {
  if (state !== 'answering') return state;
  if (lacking === undefined) return 'unknown';
  return lacking === 0 ? 'current' : 'behind';
}
