import { useWhoami } from '../api/queries.js';
import type { ParentLook } from '../api/types.js';
import { ColumnHeads } from '../parts/column-heads.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { Skeleton } from '../parts/skeleton.js';
import { Trouble } from '../parts/trouble.js';
import { moveIn } from '../words/move-in.js';
import { words } from '../words/index.js';
import { useOpenZone } from '../zones/zone-context.js';
import { delegationIn } from './delegation-state.js';
import { Lines } from './lines.js';
import type { StepProps } from './move.js';
import { ParentWarning } from './parent-warning.js';
import { StepFrame } from './step-frame.js';
import { useParentLook } from './use-parent-look.js';

/** Waits until every name server of the parent zone delegates the domain to this service. */
export function DelegationStep({ move, onDone }: StepProps) {
  const { zone } = useOpenZone();
  const { data: whoami } = useWhoami();
  const own = zone.name_servers ?? whoami?.service.name_servers ?? [];
  const query = useParentLook(zone.id, (look) => !delegationIn(look, own).isComplete);
  const { data: look, error, failureReason, isFetching, refetch } = query;
  const trouble = error ?? failureReason;
  const canSee = look !== undefined && look !== null && look.servers.length > 0;
  const isComplete = canSee && delegationIn(look, own).isComplete;
  const { delegation } = moveIn;
  return (
    <StepFrame
      domain={move.domain}
      step="delegation"
      intro={delegation.intro}
      onDone={onDone}
      done={isComplete ? moveIn.next : canSee ? delegation.skip : delegation.confirm}
    >
      {trouble !== null && <Trouble isRetried error={trouble} onRetry={() => void refetch()} />}
      {look === undefined && trouble === null && <Skeleton rows={3} />}
      <ParentWarning look={look} isSigned={false} />
      {look !== undefined && !canSee && (
        <>
          <p className="notice">{delegation.unseen}</p>
          {(look?.problem ?? null) !== null && (
            <p className="hint">
              <ShownText text={look?.problem ?? ''} longest={600} />
            </p>
          )}
          <p className="prose">{delegation.byHand}</p>
          <p className="line">
            <ShownText text={`dig +trace NS ${move.domain}`} longest={300} />
          </p>
        </>
      )}
      <p role="status">{canSee && stateText(look, own)}</p>
      {canSee && (
        <>
          <Servers look={look} own={own} />
          {isComplete && <p className="prose">{delegation.keepOld}</p>}
        </>
      )}
      {look !== undefined && look !== null && (
        <div className="tools">
          <span className="quiet-text">
            {delegation.lastCheck} <Moment at={look.seen_at} />
          </span>
          <button type="button" aria-disabled={isFetching || undefined} onClick={() => void refetch()}>
            {words.health.again}
          </button>
        </div>
      )}
    </StepFrame>
  );
}

interface ServersProps {
  readonly look: ParentLook;
  readonly own: readonly string[];
}

function Servers({ look, own }: ServersProps) {
  const { columns, states, heading } = words.delegation;
  const { isOwn } = delegationIn(look, own);
  return (
    <table className="list" aria-label={heading}>
      <ColumnHeads labels={columns} />
      <tbody>
        {look.servers.map(({ name, ns, error }) => (
          <tr key={name}>
            <td data-label={columns.server}>
              <ShownText text={shownServer(look, name)} />
            </td>
            <td data-label={columns.ns} className="data">
              <Lines texts={ns ?? [error ?? words.dnssec.parentSilent]} />
            </td>
            <td data-label={columns.state}>
              {ns !== null && (
                <span className={`badge ${isOwn(ns) ? 'current' : 'behind'}`}>
                  {states[ns.length === 0 ? 'none' : isOwn(ns) ? 'same' : 'other']}
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function stateText(look: ParentLook, own: readonly string[]): string {
  const { isComplete, former, silent } = delegationIn(look, own);
  const shown = (name: string): string => shownServer(look, name);
  if (isComplete) return moveIn.delegation.complete(look.servers.length);
  return former.length > 0 ? moveIn.delegation.waits(former.map(shown)) : moveIn.delegation.silent(silent.map(shown));
}

/** The service does not know the names of its own name servers here. */
const shownServer = ({ hosted }: ParentLook, name: string): string =>
  hosted && name === 'this service' ? words.product : name;
