import { usePublication, useWhoami } from '../api/queries.js';
import type { Publication } from '../api/types.js';
import { useTitle } from '../frame/title.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

/** Which name servers have the zone as it is. */
export function PublicationPage() {
  const { zone } = useOpenZone();
  useTitle(`${words.publication.heading} – ${zone.name}`);
  const { data, error, failureReason, isFetching, refetch } = usePublication(zone.id, true);
  const trouble = error ?? failureReason;
  return (
    <section aria-labelledby="publication">
      <div className="heading">
        <h2 id="publication">{words.publication.heading}</h2>
        <button type="button" aria-disabled={isFetching || undefined} onClick={() => void refetch()}>
          {words.publication.again}
        </button>
      </div>
      {trouble !== null && <Trouble isRetried error={trouble} />}
      {data === undefined && trouble === null && <Skeleton rows={3} />}
      {data !== undefined && <Servers publication={data} />}
    </section>
  );
}

function Servers({ publication }: { readonly publication: Publication }) {
  const { data: whoami } = useWhoami();
  const { servers, published, serial } = publication;
  if (servers.length === 0 || whoami?.service.publishes === false)
    return <p className="empty">{words.publication.off}</p>;
  const current = servers.filter(({ state }) => state === 'current').length;
  return (
    <>
      <p>{published ? words.publication.all(serial) : words.publication.notAll(serial, current, servers.length)}</p>
      <table className="list" aria-label={words.publication.table}>
        <ColumnHeads labels={words.publication.columns} />
        <tbody>
          {servers.map(({ address, state, serial: seen, since, unreachable_since, error }) => (
            <tr key={address}>
              <td>
                <ShownText text={address} />
              </td>
              <td data-label={words.publication.columns.state}>
                <span className={`badge ${state}`}>{words.publication.states[state]}</span>
              </td>
              <td data-label={words.publication.columns.serial}>{seen ?? ''}</td>
              <td data-label={words.publication.columns.since}>
                <Since at={state === 'unreachable' ? unreachable_since : since} />
              </td>
              <td data-label={words.publication.columns.error}>
                <ShownText text={error ?? ''} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const Since = ({ at }: { readonly at: string | null }) => (at === null ? words.publication.never : <Moment at={at} />);
