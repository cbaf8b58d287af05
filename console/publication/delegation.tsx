import { Link } from 'wouter';
import { useSigning, useWhoami } from '../api/queries.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';

/** The name servers that the parent zone delegates the zone to, where the service can ask the parent zone. */
export function Delegation() {
  const open = useOpenZone();
  const { zone } = open;
  const { data: whoami } = useWhoami();
  const { data } = useSigning(open);
  const { columns, heading } = words.delegation;
  const parent = data?.parent ?? null;
  const own = namesIn(zone.name_servers ?? whoami?.service.name_servers ?? []);
  return (
    <section aria-labelledby="delegation">
      <h3 id="delegation">{heading}</h3>
      {parent === null ? (
        <p className="hint">
          {words.delegation.unseen} <Link href={zoneAddress(zone.name, 'dnssec')}>{words.dnssec.heading}</Link>
        </p>
      ) : (
        <>
          <p>
            <ShownText text={words.delegation.seen(parent.zone ?? words.dnssec.parentUnknown)} />{' '}
            <Moment at={parent.seen_at} />
          </p>
          {parent.problem !== null && (
            <p className="notice">
              <ShownText text={parent.problem} />
            </p>
          )}
          {parent.servers.length > 0 && (
            <table className="list" aria-label={heading}>
              <ColumnHeads labels={columns} />
              <tbody>
                {parent.servers.map(({ name, ns, error }) => (
                  <tr key={name}>
                    <td data-label={columns.server}>
                      <ShownText text={name} />
                    </td>
                    <td data-label={columns.ns} className="data">
                      <ShownText text={ns?.join('\n') ?? error ?? words.dnssec.parentSilent} />
                    </td>
                    <td data-label={columns.state}>
                      {ns !== null && (
                        <span className={`badge ${namesIn(ns) === own ? 'current' : 'behind'}`}>
                          {words.delegation.states[stateOf(ns, own)]}
                        </span>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </section>
  );
}

/** A form in which equal sets are equal. */
const namesIn = (names: readonly string[]): string =>
  names
    .map((name) => name.toLowerCase())
    .sort()
    .join(' ');

function stateOf(ns: readonly string[], own: string): keyof typeof words.delegation.states {
  if (ns.length === 0) return 'none';
  return namesIn(ns) === own ? 'same' : 'other';
}
