import { Link } from 'wouter';
import { useTitle } from '../frame/title.js';
import { useSearchText } from '../frame/use-query-text.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Empty } from '../parts/empty.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { type Found, MOST_FOUND, useFound } from './found.js';

/** Searches all zones and their records. */
export function SearchPage() {
  useTitle(words.search.heading);
  const text = useSearchText('q');
  const { found, isSearching, trouble, searchOn, retry } = useFound(text.sought);
  const matches = found === null ? 0 : found.zones.length + found.records.length;
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
      </div>
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={retry} />}
      {found === null && isSearching && trouble === null && <Skeleton rows={6} columns={[1, 3, 1, 3, 2, 2]} />}
      {found !== null && matches > 0 && <Results found={found} />}
      {found !== null && matches === 0 && !isSearching && (
        <Empty
          icon="search"
          actions={[
            { label: words.states.go.clearSearch, to: () => text.setTyped('') },
            { label: words.states.go.zones, to: '/zones' },
          ]}
        >
          <ShownText text={words.search.none(text.sought)} />
        </Empty>
      )}
      {found === null && !isSearching && trouble === null && (
        <Empty
          icon="search"
          actions={[
            { label: words.states.go.zones, to: '/zones' },
            { label: words.states.go.allChanges, to: '/changes' },
          ]}
        >
          {words.search.hint}
        </Empty>
      )}
      {found !== null && found.zones.length >= MOST_FOUND && <p className="total">{words.search.some(MOST_FOUND)}</p>}
      <div className="total" aria-live="polite">
        {found !== null && <Extent found={found} isSearching={isSearching} onSearchOn={searchOn} />}
      </div>
    </>
  );
}

interface ExtentProps {
  readonly found: Found;
  readonly isSearching: boolean;
  readonly onSearchOn: () => void;
}

/** How much of the records was searched, and the way to the rest. */
function Extent({ found: { records, searched, isComplete }, isSearching, onSearchOn }: ExtentProps) {
  if (isSearching) return words.search.searching(searched);
  if (isComplete) return words.search.complete(records.length);
  return (
    <>
      {words.search.partial(records.length, searched)}{' '}
      <button type="button" onClick={onSearchOn}>
        {words.search.searchOn}
      </button>
    </>
  );
}

function Results({ found: { zones, records } }: { readonly found: Found }) {
  const { columns, kinds } = words.search;
  return (
    <table className="list" aria-label={words.search.results}>
      <ColumnHeads labels={columns} />
      <tbody>
        {zones.map(({ id, name }) => (
          <tr key={id}>
            <td>{kinds.zone}</td>
            <td data-label={columns.name}>
              <Link href={zoneAddress(name, 'records')}>
                <ShownText text={name} />
              </Link>
            </td>
            <td />
            <td />
            <td />
            <td />
          </tr>
        ))}
        {records.map(({ id, name, type, priority, data, description, domain_name: zone }) => (
          <tr key={id}>
            <td>{kinds.records}</td>
            <td data-label={columns.name}>
              <Link href={`${zoneAddress(zone, 'records')}?${new URLSearchParams({ name, type }).toString()}`}>
                <ShownText text={name} />
              </Link>
            </td>
            <td data-label={columns.type}>{type}</td>
            <td data-label={columns.data} className="data">
              <ShownText text={priority === null ? data : `${priority} ${data}`} longest={300} />
            </td>
            <td data-label={columns.comment}>
              <ShownText text={description ?? ''} longest={300} />
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
