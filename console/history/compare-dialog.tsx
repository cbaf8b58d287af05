import { useQuery } from '@tanstack/react-query';
import { ask } from '../api/client.js';
import type { Differences } from '../api/types.js';
import { rowsOfDifferences } from '../changes/plan.js';
import { PlanTable } from '../changes/plan-table.js';
import { useOpening } from '../frame/use-opening.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

const SERIAL = /^\d{1,10}$/;

/** The difference between two states of the zone, whose serials the address contains. */
export function CompareDialog() {
  const { values, close } = useOpening('from', 'to');
  const { from, to } = values;
  if (!SERIAL.test(from) || !SERIAL.test(to)) return null;
  const { compare } = words.history;
  return (
    <DialogFrame isWide title={compare.title} onClose={close}>
      <p className="summary">{compare.between(from, to)}</p>
      <Between from={from} to={to} />
      <div className="buttons plan-foot">
        <button type="button" onClick={close}>
          {words.common.close}
        </button>
      </div>
    </DialogFrame>
  );
}

function Between({ from, to }: { readonly from: string; readonly to: string }) {
  const { zone } = useOpenZone();
  const isSignedIn = useIsSignedIn();
  const { data, error, failureReason, refetch } = useQuery({
    queryKey: ['diff', zone.id, from, to],
    queryFn: async ({ signal }) =>
      (await ask<Differences>(`/v1/domains/${zone.id}/diff?from=${from}&to=${to}`, { signal })).body,
    enabled: isSignedIn,
  });
  const trouble = error ?? failureReason;
  // The dialog covers the errors of the page.
  if (trouble !== null) return <Trouble error={trouble} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton rows={3} columns={[1, 2, 1, 3, 3]} />;
  if (data.diff.length === 0) return <p>{words.history.compare.same}</p>;
  return (
    <div className="plan-rows">
      <PlanTable zone={zone.name} label={words.history.compare.title} rows={rowsOfDifferences(data.diff)} />
    </div>
  );
}
