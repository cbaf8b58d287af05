import { Link, useSearchParams } from 'wouter';
import { useWhoami } from '../api/queries.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import './publication-filter.css';

/** Chips that narrow the list of zones to those that name servers lack. The address contains the filter. */
export function PublicationFilter() {
  const { data: whoami } = useWhoami();
  const [query, setQuery] = useSearchParams();
  const chosen = query.get('publication') ?? '';
  const server = query.get('behind') ?? '';
  const set = (name: string, value: string): void =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete(name);
        if (value !== '') next.set(name, value);
        return next;
      },
      { replace: true },
    );
  // Without name servers, publication is unknown for every zone.
  if (whoami?.service.publishes === false) return null;
  return (
    <div role="group" aria-label={words.nameServers.filter} className="chips">
      {Object.entries(words.nameServers.filters).map(([value, label]) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={chosen === value}
          onClick={() => set('publication', chosen === value ? '' : value)}
        >
          {label}
        </button>
      ))}
      {server !== '' && (
        <button type="button" className="chip" aria-pressed onClick={() => set('behind', '')}>
          <ShownText text={words.nameServers.behindOn(server)} longest={100} />
        </button>
      )}
      <Link href="/name-servers">{words.nameServers.heading}</Link>
    </div>
  );
}
