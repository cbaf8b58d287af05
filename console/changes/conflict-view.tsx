import { words } from '../words/index.js';
import { ShownText } from '../parts/shown-text.js';
import { rowsOfDifferences } from './plan.js';
import type { Conflict } from './plan-requests.js';
import { PlanTable } from './plan-table.js';

interface Props {
  readonly zone: string;
  readonly conflict: Conflict;
}

/** Authors and contents of changes since the edit began. */
export function ConflictView({ zone, conflict }: Props) {
  const { actors } = conflict;
  return (
    <>
      <div role="alert" className="trouble">
        <ShownText text={words.plan.conflict(zone)} />
      </div>
      {conflict.since.length === 0 ? (
        <p>{words.plan.conflictUnknown}</p>
      ) : (
        <>
          {actors.length > 0 && (
            <p>
              <ShownText text={words.plan.conflictBy(new Intl.ListFormat('en').format(actors))} />
            </p>
          )}
          <PlanTable zone={zone} label={words.plan.theirs} rows={rowsOfDifferences(conflict.since)} />
        </>
      )}
    </>
  );
}
