import { useState } from 'react';
import { type Pending, withEntry } from '../changes/pending.js';
import { changePending, usePending } from '../changes/pending-store.js';
import { relativeName } from '../form/names.js';
import { useStatus } from '../frame/status.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { moveIn } from '../words/move-in.js';
import { useOpenZone } from '../zones/zone-context.js';
import { Lines } from './lines.js';
import type { LiveDifference } from './move-api.js';
import { entriesFor, storedSet } from './take-over.js';

/** Beyond this they are counted and not drawn. */
const DRAWN = 200;

/** The record sets that the old name servers answer otherwise, each with a button that makes pending changes. */
export function DifferencesTable({ differences }: { readonly differences: readonly LiveDifference[] }) {
  const { zone, etag, place } = useOpenZone();
  const { entries } = usePending(place);
  const status = useStatus();
  const [trouble, setTrouble] = useState<unknown>(null);
  const { compare } = moveIn;
  const { columns } = compare;
  const take = async (chosen: readonly LiveDifference[]): Promise<void> => {
    try {
      for (const { name, ours, theirs } of chosen) {
        const set = theirs === null ? null : { name, ...theirs };
        const taken = entriesFor(set, await storedSet(zone.id, name, ours.type), zone, () => crypto.randomUUID());
        const base = { etag, serial: zone.serial };
        changePending(place, (now) => taken.reduce((next: Pending, entry) => withEntry(next, entry, base), now));
      }
      setTrouble(null);
      status.show({ content: compare.takenStatus(chosen.length) });
    } catch (error) {
      setTrouble(error);
    }
  };
  const isTaken = ({ name, ours, theirs }: LiveDifference): boolean =>
    entries.some((entry) => {
      const record = entry.action === 'delete' ? entry.before : entry.record;
      return record.name.toLowerCase() === name.toLowerCase() && [ours.type, theirs?.type].includes(record.type);
    });
  // Servers may differ from one another: of such a set, one answer is taken by hand.
  const left = differences.filter(
    (one) => !isTaken(one) && differences.filter((other) => isSameSet(one, other)).length === 1,
  );
  return (
    <>
      {trouble !== null && <Trouble error={trouble} />}
      <table className="list" aria-label={compare.table}>
        <thead>
          <tr>
            <th scope="col">{columns.name}</th>
            <th scope="col">{columns.type}</th>
            <th scope="col">{columns.theirs}</th>
            <th scope="col">{columns.ours}</th>
            <th scope="col">
              <span className="visually-hidden">{columns.action}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {differences.slice(0, DRAWN).map((difference, index) => {
            const { name, ours, theirs, name_servers: servers } = difference;
            const displayName = relativeName(name, zone.name);
            return (
              <tr key={index}>
                <td className="data">
                  <ShownText text={displayName} />
                </td>
                <td data-label={columns.type} className="data">
                  {ours.type}
                </td>
                <td data-label={columns.theirs}>
                  <SetText set={theirs} other={ours} />
                  <div className="hint">
                    <ShownText text={servers.join(', ')} longest={600} />
                  </div>
                </td>
                <td data-label={columns.ours}>
                  <SetText set={ours} other={theirs} />
                </td>
                <td>
                  {isTaken(difference) ? (
                    <span className="badge update">{compare.taken}</span>
                  ) : (
                    <button
                      type="button"
                      aria-label={compare.takeOf(displayName, ours.type)}
                      onClick={() => void take([difference])}
                    >
                      {compare.take}
                    </button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {differences.length > DRAWN && <p>{moveIn.records.more(differences.length - DRAWN)}</p>}
      {left.length > 1 && (
        <div className="tools">
          <button type="button" onClick={() => void take(left)}>
            {compare.takeAll(left.length)}
          </button>
        </div>
      )}
    </>
  );
}

const isSameSet = (one: LiveDifference, other: LiveDifference): boolean =>
  one.name === other.name && one.ours.type === other.ours.type;

interface SetTextProps {
  readonly set: LiveDifference['theirs'];
  readonly other: LiveDifference['theirs'];
}

/** The type and the TTL are shown if they differ. */
function SetText({ set, other }: SetTextProps) {
  if (set === null) return <span className="quiet-text">{moveIn.compare.none}</span>;
  return (
    <div className="data broken">
      {other !== null && set.type !== other.type && `${set.type} `}
      <Lines texts={set.data} />
      {set.ttl !== other?.ttl && <div className="quiet-text">{moveIn.compare.ttl(set.ttl)}</div>}
    </div>
  );
}
