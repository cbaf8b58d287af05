import { Link } from 'wouter';
import type { HistoryEntry } from '../api/types.js';
import { usePlans } from '../changes/plan-provider.js';
import { rowsOfDifferences } from '../changes/plan.js';
import { PlanTable } from '../changes/plan-table.js';
import { actorOf } from '../changes/plan-requests.js';
import { TimeOfDay } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { ExportButton } from '../records/export-button.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { useOpenZone } from '../zones/zone-context.js';
import { actionOf, type PastChange } from './changes-of.js';
import { useEntries } from './use-history.js';

interface Props {
  readonly change: PastChange;
  /** Where another day begins. */
  readonly day: string | null;
  readonly isOpen: boolean;
  /** Whether the address leads here. */
  readonly isWanted: boolean;
  readonly onToggle: () => void;
}

/** One change: who, when, how many records, what for, and what can be done about it. */
export function ChangeItem({ change, day, isOpen, isWanted, onToggle }: Props) {
  const { zone } = useOpenZone();
  const { undo, restore } = usePlans();
  const { serial, created, updated, deleted } = change;
  const size = created + updated + deleted;
  return (
    <li className="change" aria-current={isWanted || undefined} ref={isWanted ? comeIntoSight : undefined}>
      {day !== null && <p className="day">{day}</p>}
      <div className="change-head">
        <Link href={zoneAddress(zone.name, `history/${change.id}`)}>
          <TimeOfDay at={change.at} />
        </Link>
        <span>
          <ShownText text={words.history.by(actorOf(change.actor) || words.history.service)} />
        </span>
        <span>{size > 0 ? words.history.counts(created, updated, deleted) : whatOf(change)}</span>
        <span className="serial">{words.history.serial(serial)}</span>
        <span className="buttons">
          {size > 0 && (
            <>
              <button type="button" aria-expanded={isOpen} onClick={onToggle}>
                {isOpen ? words.history.hide : words.history.show}
              </button>
              <button type="button" onClick={() => undo(change.id, words.applied.undoOf(size, serial))}>
                {words.history.undo}
              </button>
            </>
          )}
          {serial !== zone.serial && (
            <button type="button" onClick={() => restore(serial)}>
              {words.history.restore}
            </button>
          )}
          <ExportButton serial={serial} label={words.history.export(serial)} shown={words.history.exportShort} />
        </span>
      </div>
      {change.message !== null && (
        <p className="message">
          <ShownText text={change.message} />
        </p>
      )}
      {isOpen &&
        (change.entries === null ? (
          <AllEntries change={change} />
        ) : (
          <Entries entries={[...change.entries].reverse()} />
        ))}
    </li>
  );
}

const comeIntoSight = (item: HTMLLIElement | null): void => item?.scrollIntoView({ block: 'center' });

function AllEntries({ change }: { readonly change: PastChange }) {
  const { zone } = useOpenZone();
  const { data, error, failureReason, refetch } = useEntries(zone.id, change);
  const trouble = error ?? failureReason;
  if (trouble !== null) return <Trouble isRetried error={trouble} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={2} />;
  return data === null ? <p className="notice">{words.history.large}</p> : <Entries entries={data} />;
}

function Entries({ entries }: { readonly entries: readonly HistoryEntry[] }) {
  const { zone } = useOpenZone();
  const differences = entries
    .filter(({ action }) => action.startsWith('record.'))
    .map(({ action, before, after }) => ({ action: actionOf(action), before, after }));
  return <PlanTable zone={zone.name} label={words.plan.table} rows={rowsOfDifferences(differences)} />;
}

const whatOf = ({ isCreationOfZone }: PastChange): string =>
  isCreationOfZone ? words.history.zoneCreated : words.history.zoneChanged;
