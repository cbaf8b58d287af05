import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { ask } from '../api/client.js';
import { usePublication, useWhoami } from '../api/queries.js';
import type { Changes, Publication } from '../api/types.js';
import { Empty } from '../parts/empty.js';
import { Fact, ServerCard, TimeFact } from '../parts/server-card.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';

/** Which name servers have the zone as it is. */
export function PublishedServers() {
  const { zone } = useOpenZone();
  const { data, error, failureReason, refetch } = usePublication(zone.id, true);
  const trouble = error ?? failureReason;
  return (
    <section aria-labelledby="publication">
      <h3 id="publication">{words.publication.heading}</h3>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && trouble === null && <Skeleton rows={2} columns={[3, 2, 2, 2, 3]} />}
      {data !== undefined && <Servers publication={data} />}
    </section>
  );
}

function Servers({ publication }: { readonly publication: Publication }) {
  const { data: whoami } = useWhoami();
  const { servers, published, serial } = publication;
  const { zone } = useOpenZone();
  const { go } = words.states;
  if (servers.length === 0 || whoami?.service.publishes === false)
    return (
      <Empty
        icon="servers"
        actions={[
          { label: go.records, to: zoneAddress(zone.name, 'records') },
          { label: go.changes, to: zoneAddress(zone.name, 'history') },
        ]}
      >
        {words.publication.off}
      </Empty>
    );
  const current = servers.filter(({ state }) => state === 'current').length;
  return (
    <>
      <p>
        {published ? words.publication.all(serial) : words.publication.notAll(serial, current, servers.length)}{' '}
        <Link href="/name-servers">{words.nameServers.heading}</Link>
      </p>
      <ul className="server-cards" aria-label={words.publication.list}>
        {servers.map((server) => (
          <ZoneServer key={server.address} server={server} serial={serial} />
        ))}
      </ul>
    </>
  );
}

type Server = Publication['servers'][number];

const LOOKS: Readonly<Partial<Record<Server['state'], 'warn' | 'bad'>>> = {
  inconsistent: 'warn',
  behind: 'warn',
  unreachable: 'bad',
};

/** How far a name server is with the zone. */
function ZoneServer({ server, serial }: { readonly server: Server; readonly serial: number }) {
  const { address, state, serial: seen, error, since, behind_since: behindSince } = server;
  const { unreachable_since: unreachableSince } = server;
  const { facts, never, states } = words.publication;
  const lacking = useLackingChanges(seen, serial);
  return (
    <ServerCard level={4} address={address} state={{ label: states[state], look: LOOKS[state] }}>
      <dl className="facts">
        <Fact label={facts.serial}>{seen ?? never}</Fact>
        {lacking !== null && <Fact label={facts.behind}>{lacking}</Fact>}
        {behindSince !== null && <TimeFact label={facts.behindSince} at={behindSince} />}
        {unreachableSince !== null && <TimeFact label={facts.unreachableSince} at={unreachableSince} />}
        {since !== null && <TimeFact label={facts.since} at={since} />}
        {error !== null && (
          <Fact label={facts.error}>
            <ShownText text={error} />
          </Fact>
        )}
      </dl>
    </ServerCard>
  );
}

/** The number of changes that are counted; of a server that lacks more, the card says so. */
const MOST_CHANGES = 200;

/** The number of changes after the serial of a server; `null`: none, or the history may not be read. */
function useLackingChanges(seen: number | null, serial: number): string | null {
  const { zone } = useOpenZone();
  const isSignedIn = useIsSignedIn();
  const isBehind = seen !== null && isLater(serial, seen);
  const { data } = useQuery({
    queryKey: ['history', zone.id, 'lacking', serial],
    queryFn: async ({ signal }) =>
      (await ask<Changes>(`/v1/domains/${zone.id}/changes?limit=${MOST_CHANGES}`, { signal })).body.changes,
    enabled: isSignedIn && isBehind,
    retry: false,
    staleTime: Infinity,
  });
  if (data === undefined || !isBehind) return null;
  const count = data.filter((change) => isLater(change.serial, seen)).length;
  return count === 0 ? null : words.publication.changes(count, count === MOST_CHANGES);
}

/** Serials start again after 2^32 (RFC 1982). */
const isLater = (one: number, other: number): boolean => one !== other && (one - other) >>> 0 < 2 ** 31;
