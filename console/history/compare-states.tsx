import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useSearchParams } from 'wouter';
import { ask } from '../api/client.js';
import type { Differences } from '../api/types.js';
import { rowsOfDifferences } from '../changes/plan.js';
import { PlanTable } from '../changes/plan-table.js';
import { Trouble } from '../parts/trouble.js';
import { useIsSignedIn } from '../session/session.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';

const SERIAL = /^\d{1,10}$/;

/** What lies between two states of the zone, each by its serial. */
export function CompareStates() {
  const { zone } = useOpenZone();
  const [query, setQuery] = useSearchParams();
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  const [typed, setTyped] = useState({ from, to: to === '' ? String(zone.serial) : to });
  const { compare } = words.history;
  const isWhole = SERIAL.test(typed.from) && SERIAL.test(typed.to);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isWhole) setQuery(typed);
  };
  return (
    <details open={from !== ''}>
      <summary>{compare.title}</summary>
      <form className="tools" onSubmit={submit}>
        {(['from', 'to'] as const).map((end) => (
          <label key={end}>
            {compare[end]}{' '}
            <input
              inputMode="numeric"
              autoComplete="off"
              value={typed[end]}
              onChange={({ target }) => setTyped({ ...typed, [end]: target.value.trim() })}
            />
          </label>
        ))}
        <button type="submit" disabled={!isWhole}>
          {compare.button}
        </button>
      </form>
      {SERIAL.test(from) && SERIAL.test(to) && <Between from={from} to={to} />}
    </details>
  );
}

function Between({ from, to }: { readonly from: string; readonly to: string }) {
  const { zone } = useOpenZone();
  const isSignedIn = useIsSignedIn();
  const { data, error, failureReason } = useQuery({
    queryKey: ['diff', zone.id, from, to],
    queryFn: async ({ signal }) =>
      (await ask<Differences>(`/v1/domains/${zone.id}/diff?from=${from}&to=${to}`, { signal })).body,
    enabled: isSignedIn,
  });
  const trouble = error ?? failureReason;
  if (trouble !== null) return <Trouble isRetried error={trouble} />;
  if (data === undefined) return <p aria-busy="true">{words.common.loading}</p>;
  if (data.diff.length === 0) return <p>{words.history.compare.same}</p>;
  return <PlanTable zone={zone.name} label={words.history.compare.title} rows={rowsOfDifferences(data.diff)} />;
}
