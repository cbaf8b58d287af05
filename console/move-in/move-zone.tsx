import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isGone } from '../api/errors.js';
import { useWhoami, useZone } from '../api/queries.js';
import { PlanProvider } from '../changes/plan-provider.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { moveIn } from '../words/move-in.js';
import { words } from '../words/index.js';
import { ZoneProvider } from '../zones/zone-context.js';
import { moveAddress } from './move.js';

interface Props {
  readonly domain: string;
  readonly children: ReactNode;
}

/** Opens the zone of a move for the steps that need it. */
export function MoveZone({ domain, children }: Props) {
  const { data, error, failureReason, refetch } = useZone(domain);
  const { data: whoami } = useWhoami();
  const trouble = error ?? failureReason;
  if (isGone(trouble))
    return (
      <p className="empty">
        {moveIn.noZone} <Link href={moveAddress(domain, 'source')}>{words.moves.steps.source}</Link>
      </p>
    );
  if (trouble !== null) return <Trouble isRetried error={trouble} onRetry={() => void refetch()} />;
  if (data === undefined || whoami === undefined) return <Skeleton rows={6} />;
  if (data.secondary !== null) return <p className="empty">{words.secondary.readOnly}</p>;
  return (
    <ZoneProvider value={{ ...data, place: `${whoami.tenant_id ?? ''}/${data.zone.id}` }} key={data.zone.id}>
      <PlanProvider>{children}</PlanProvider>
    </ZoneProvider>
  );
}
