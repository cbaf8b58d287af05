import { ShownText } from '../parts/shown-text.js';
import { moveIn } from '../words/move-in.js';
import type { TriedServer } from './move-api.js';

/** The name servers that the service asked, with the reason where one failed. */
export function TriedServers({ servers }: { readonly servers: readonly TriedServer[] }) {
  if (servers.length === 0) return null;
  const { servers: said } = moveIn;
  return (
    <ul className="move-servers" aria-label={said.label}>
      {servers.map(({ name, address, reason }, index) => (
        <li key={index} className={reason === null ? undefined : 'error'}>
          <span className="data">
            <ShownText text={name} longest={300} />
            {address !== null && !name.includes(address) && ` (${address})`}
          </span>{' '}
          {reason === null ? said.answered : said.reasons[reason]}
        </li>
      ))}
    </ul>
  );
}
