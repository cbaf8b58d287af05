import { Link } from 'wouter';
import { useTitle } from '../frame/title.js';
import { useSearchText } from '../frame/use-query-text.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { type FoundSet, MOST_FOUND, useFound } from './found.js';

/** Zones and records of all zones at once. */
export function SearchPage() {
  useTitle(words.search.heading);
  const text = useSearchText('q');
  const { data, error, failureReason, isFetching, refetch } = useFound(text.sought);
  const trouble = error ?? failureReason;
  const isFull = data !== undefined && Math.max(data.zones.length, data.sets.length) >= MOST_FOUND;
  return (
    <>
      <h1>{words.search.heading}</h1>
      <div className="tools">
        <input
          type="search"
          aria-label={words.search.search}
          placeholder={words.search.search}
          maxLength={255}
          autoFocus
          value={text.typed}
          onChange={({ target }) => text.setTyped(target.value)}
        />
        <span className="hint">{words.search.hint}</span>
      </div>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {data === undefined && isFetching && trouble === null && <Skeleton rows={6} />}
      {typeof data?.fault === 'string' && (
        <p className="notice">
          {words.search.withoutRecords} <ShownText text={data.fault} />
        </p>
      )}
      {data !== undefined && data.zones.length + data.sets.length === 0 && (
        <p className="empty">
          <ShownText text={words.search.none(text.sought)} />
        </p>
      )}
      {data !== undefined && data.zones.length + data.sets.length > 0 && (
        <Results zones={data.zones.map(({ name }) => name)} sets={data.sets} />
      )}
      {isFull && <p className="total">{words.search.some(MOST_FOUND)}</p>}
    </>
  );
}

interface ResultsProps {
  readonly zones: readonly string[];
  readonly sets: readonly FoundSet[];
}

function Results({ zones, sets }: ResultsProps) {
  const { columns, kinds } = words.search;
  return (
    <table className="list" aria-label={words.search.results}>
      <ColumnHeads labels={columns} />
      <tbody>
        {zones.map((zone) => (
          <tr key={zone}>
            <td>{kinds.zone}</td>
            <td data-label={columns.name}>
              <Link href={zoneAddress(zone, 'records')}>
                <ShownText text={zone} />
              </Link>
            </td>
            <td />
            <td />
            <td />
          </tr>
        ))}
        {sets.map(({ id, name, type, records, zone_name: zone }) => (
          <tr key={id}>
            <td>{kinds.records}</td>
            <td data-label={columns.name}>
              <Link href={`${zoneAddress(zone, 'records')}?${new URLSearchParams({ name, type }).toString()}`}>
                <ShownText text={name} />
              </Link>
            </td>
            <td data-label={columns.type}>{type}</td>
            <td data-label={columns.data} className="data">
              <ShownText text={records.join(', ')} longest={300} />
            </td>
            <td data-label={columns.zone}>
              <ShownText text={zone} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
