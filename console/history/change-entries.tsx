import type { HistoryEntry } from '../api/types.js';
import { rowsOfDifferences } from '../changes/plan.js';
import { PlanTable } from '../changes/plan-table.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { LabelEntries } from './label-entries.js';
import { actionOf } from './changes-of.js';
import type { FeedChange } from './changes-of.js';
import { useEntries } from './use-history.js';

/** The differences that a change made. */
export function ChangeEntries({ zone, change }: FeedChange) {
  return (
    <div className="feed-entries">
      {change.entries === null ? (
        <AllEntries zone={zone} change={change} />
      ) : (
        <Entries zone={zone.name} entries={[...change.entries].reverse()} />
      )}
    </div>
  );
}

function AllEntries({ zone, change }: FeedChange) {
  const { data, error, failureReason, refetch } = useEntries(zone.id, change);
  const trouble = error ?? failureReason;
  if (trouble !== null) return <Trouble isRetried error={trouble} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={2} columns={[1, 2, 1, 3, 3]} />;
  return data === null ? <p className="notice">{words.history.large}</p> : <Entries zone={zone.name} entries={data} />;
}

function Entries({ zone, entries }: { readonly zone: string; readonly entries: readonly HistoryEntry[] }) {
  const differences = entries
    .filter(({ action }) => action.startsWith('record.'))
    .map(({ action, before, after }) => ({ action: actionOf(action), before, after }));
  return (
    <>
      {differences.length > 0 && (
        <PlanTable zone={zone} label={words.plan.table} rows={rowsOfDifferences(differences)} />
      )}
      <LabelEntries zone={zone} entries={entries} />
    </>
  );
}
