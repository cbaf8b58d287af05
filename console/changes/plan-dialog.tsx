import { useCallback, useEffect, useMemo, useState } from 'react';
import { useWhoami } from '../api/queries.js';
import type { Zone } from '../api/types.js';
import { DialogFrame } from '../parts/dialog-frame.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { words } from '../words/index.js';
import { ConflictView } from './conflict-view.js';
import type { Base, Entry } from './pending.js';
import { percentOf, type PlanRow, totalsOf } from './plan.js';
import { LineFaults } from './line-faults-table.js';
import { PlanFindings } from './plan-findings.js';
import { PlanFoot } from './plan-foot.js';
import type { Applied, Conflict, PlanSubject, QuotaAfter, Room, Trial } from './plan-requests.js';
import { PlanTable } from './plan-table.js';
import { createdAnew, rebased, touchedByOthers } from './rebase.js';
import { usePlan } from './use-plan.js';

export interface PlannedWork {
  readonly subject: PlanSubject;
  readonly base: Base;
  /** What it is, where it is not what was gathered. */
  readonly note: string | null;
}

interface Props {
  readonly zone: Pick<Zone, 'id' | 'name' | 'ttl'>;
  readonly work: PlannedWork;
  /** Tells who keeps the entries that they have become others. */
  readonly onEntries: (entries: readonly Entry[], base: Base) => void;
  readonly onApplied: (applied: Applied) => void;
  readonly onClose: () => void;
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** What would be stored, before anything is: seen, tried by the service, and then applied as one change. */
export function PlanDialog({ zone, work, onEntries, onApplied, onClose }: Props) {
  const [subject, setSubject] = useState(work.subject);
  const [base, setBase] = useState(work.base);
  const [message, setMessage] = useState('');
  const [marks, setMarks] = useState({ gone: NO_KEYS, touched: NO_KEYS });
  const room = useRoom(zone.ttl);
  const { state, apply, again } = usePlan(zone.id, subject, base, room, onApplied);

  const change = useCallback(
    (entries: readonly Entry[], next: Base): void => {
      onEntries(entries, next);
      if (entries.length === 0) return onClose();
      setSubject({ kind: 'changes', entries });
      setBase(next);
    },
    [onEntries, onClose],
  );
  const entries = subject.kind === 'changes' ? subject.entries : [];
  const remove = (key: string): void =>
    change(
      entries.filter((entry) => entry.key !== key),
      base,
    );
  const createAnew = (key: string): void => {
    setMarks({ ...marks, gone: new Set([...marks.gone].filter((one) => one !== key)) });
    change(
      entries.map((entry) => (entry.key === key ? createdAnew(entry) : entry)),
      base,
    );
  };
  const planAgain = ({ now, since }: Conflict): void => {
    const next = { etag: now.etag, serial: now.zone.serial };
    if (subject.kind !== 'changes') return setBase(next);
    const { pending, gone } = rebased({ base, entries }, since, next);
    setMarks({ gone, touched: touchedByOthers(pending.entries, since) });
    change(pending.entries, next);
  };
  const note = ({ key }: PlanRow) => (
    <RowNote isGone={marks.gone.has(key)} isTouched={marks.touched.has(key)} onCreateAnew={() => createAnew(key)} />
  );
  const isApplying = state.step === 'applying';

  return (
    <DialogFrame title={words.plan.title} isWide onClose={onClose} mayClose={!isApplying}>
      {work.note !== null && (
        <p>
          <ShownText text={work.note} />
        </p>
      )}
      {state.step === 'planning' && <p aria-busy="true">{words.plan.planning}</p>}
      {state.step === 'conflict' && <ConflictView zone={zone.name} conflict={state.conflict} />}
      {(state.step === 'failed' || state.step === 'unsent') && <Trouble error={state.error} />}
      {'trial' in state && (
        <TrialView
          zone={zone.name}
          trial={state.trial}
          most={subject.kind === state.trial.subject.kind ? null : room.changes}
          note={note}
          onRemove={state.trial.subject.kind === 'changes' && !isApplying ? remove : undefined}
        />
      )}
      {isApplying && state.attempt > 0 && <p role="alert">{words.plan.tryingText}</p>}
      <PlanFoot
        zone={zone.name}
        state={state}
        message={message}
        onMessage={setMessage}
        onApply={(trial) => void apply(trial, message.trim())}
        onAgain={again}
        onPlanAgain={planAgain}
        onClose={onClose}
      />
    </DialogFrame>
  );
}

/** What the service takes where it has not said it yet. */
const USUAL = { changes: 1000, body: 1_048_576 };

function useRoom(zoneTtl: number): Room {
  const { data: whoami } = useWhoami();
  const { max_changes: changes = USUAL.changes, max_body_size: body = USUAL.body } = whoami?.service ?? {};
  return useMemo(() => ({ changes, body, zoneTtl }), [changes, body, zoneTtl]);
}

interface TrialProps {
  readonly zone: string;
  readonly trial: Trial;
  /** The entries of a change set, where these are sent as a file because they are more. */
  readonly most: number | null;
  readonly note: (row: PlanRow) => React.ReactNode;
  readonly onRemove: ((key: string) => void) | undefined;
}

function TrialView({ zone, trial, most, note, onRemove }: TrialProps) {
  const { rows, counts, quota, findings, general, lines } = trial;
  const totals = useMemo(() => totalsOf(rows), [rows]);
  const faulty = rows.filter(({ errors }) => errors.length > 0).length;
  useEffect(() => {
    if (faulty > 0) showFirstFault();
  }, [rows, faulty]);
  return (
    <>
      {most !== null && <p className="prose">{words.plan.asFile(most)}</p>}
      {rows.length === 0 && !trial.isFaulty && <p className="summary">{words.plan.nothing}</p>}
      {rows.length > 0 && (
        <p className="summary">
          {words.plan.summary(totals.create, totals.update, totals.delete, percentOf(rows, counts))}
          {quota !== null && ` · ${saysOfQuota(quota)}`}
        </p>
      )}
      {general.length > 0 && (
        <div role="alert" className="trouble">
          {general.map((message, index) => (
            <p key={index}>
              <ShownText text={message} />
            </p>
          ))}
        </div>
      )}
      {lines.length > 0 && (
        <>
          <p role="alert" className="trouble">
            {words.import.faulty(lines.length)}
          </p>
          <LineFaults lines={lines} />
        </>
      )}
      {rows.length > 0 && (
        <div className="plan-rows" tabIndex={0} role="group" aria-label={words.plan.table}>
          <PlanTable zone={zone} label={words.plan.table} rows={rows} note={note} {...(onRemove && { onRemove })} />
        </div>
      )}
      {faulty > 0 && (
        <p role="alert" className="trouble">
          {words.plan.faulty(faulty, rows.length)}{' '}
          <button type="button" onClick={showFirstFault}>
            {words.plan.showFaulty}
          </button>
        </p>
      )}
      <PlanFindings zone={zone} findings={findings} />
    </>
  );
}

const saysOfQuota = ({ records, limit }: QuotaAfter): string =>
  limit === null ? words.plan.after(records) : words.plan.quota(records, limit);

function showFirstFault(): void {
  const row = document.querySelector('tr[data-faulty]');
  row?.scrollIntoView({ block: 'center' });
  row?.querySelector('button')?.focus();
}

interface NoteProps {
  readonly isGone: boolean;
  readonly isTouched: boolean;
  readonly onCreateAnew: () => void;
}

function RowNote({ isGone, isTouched, onCreateAnew }: NoteProps) {
  if (isGone)
    return (
      <p className="error">
        {words.plan.gone}{' '}
        <button type="button" onClick={onCreateAnew}>
          {words.plan.createAnew}
        </button>
      </p>
    );
  return isTouched ? <p className="notice">{words.plan.alsoTheirs}</p> : null;
}
