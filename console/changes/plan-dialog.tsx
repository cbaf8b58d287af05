import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { NoAnswer } from '../api/errors.js';
import { useWhoami } from '../api/queries.js';
import type { Zone } from '../api/types.js';
import { SheetFrame } from '../parts/sheet-frame.js';
import { ShownText } from '../parts/shown-text.js';
import { Trouble } from '../parts/trouble.js';
import { useKeptState } from '../session/kept-state.js';
import { words } from '../words/index.js';
import { ConflictView } from './conflict-view.js';
import type { Base, Entry } from './pending.js';
import type { PlanRow } from './plan.js';
import { PlanFoot } from './plan-foot.js';
import type { LineFault } from './line-faults.js';
import type { Applied, Conflict, ImportedFile, PlanSubject, Room } from './plan-requests.js';
import { TrialNumbers, TrialRows, TrialSummary } from './plan-trial.js';
import { createdAnew, rebased, touchedByOthers } from './rebase.js';
import { usePlan } from './use-plan.js';

export interface PlannedWork {
  readonly subject: PlanSubject;
  readonly base: Base;
  /** A description, unless the plan shows pending changes. */
  readonly note: string | null;
  /** The form that an imported file comes from. */
  readonly owner?: FileOwner;
}

/** Learns what the plan finds in its file, and what a correction changes. */
export interface FileOwner {
  readonly change: (file: ImportedFile) => void;
  readonly refuse: (lines: readonly LineFault[]) => void;
  /** Shows a line of the file, once the plan is closed. */
  readonly show: (line: number) => void;
  /** Learns that the plan was applied. */
  readonly applied?: () => void;
}

interface Props {
  readonly zone: Pick<Zone, 'id' | 'name' | 'ttl'>;
  readonly work: PlannedWork;
  /** Reports modified entries to their owner. */
  readonly onEntries: (entries: readonly Entry[], base: Base) => void;
  readonly onApplied: (applied: Applied) => void;
  readonly onClose: () => void;
}

const NO_KEYS: ReadonlySet<string> = new Set();
const NO_LINES: readonly LineFault[] = [];

/** Shows a plan before anything is stored. The service tries it, and then applies it as one change. */
export function PlanDialog({ zone, work, onEntries, onApplied, onClose }: Props) {
  const [subject, setSubject] = useState(work.subject);
  const [base, setBase] = useState(work.base);
  const [message, setMessage] = useKeptState(`message ${zone.id} ${work.subject.kind}`, () => '');
  const [marks, setMarks] = useState({ gone: NO_KEYS, touched: NO_KEYS });
  const [isCorrected, setCorrected] = useState(false);
  const main = useRef<HTMLDivElement>(null);
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
  const remove = (key: string): void => {
    // The button leaves with its row.
    main.current?.focus();
    change(
      entries.filter((entry) => entry.key !== key),
      base,
    );
  };
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
  const { owner } = work;
  const lines = 'trial' in state ? state.trial.lines : NO_LINES;
  // The form is behind the dialog until then.
  useEffect(() => () => (lines.length > 0 ? owner?.refuse(lines) : undefined), [lines, owner]);
  const correct = (file: ImportedFile): void => {
    owner?.change(file);
    setCorrected(true);
    setSubject({ kind: 'import', ...file });
  };
  const show = (line: number): void => {
    onClose();
    owner?.show(line);
  };

  const trial = 'trial' in state ? state.trial : null;
  // Keeps the last plan until the service has tried the next one, so that nothing jumps.
  const [last, setLast] = useState(trial);
  if (trial !== null && trial !== last) setLast(trial);
  const shown = trial ?? (state.step === 'planning' ? last : null);
  const isOfEntries = shown?.subject.kind === 'changes' && !isApplying;

  return (
    <SheetFrame title={words.plan.title} subject={zone.name} kind="wide" onClose={onClose} mayClose={!isApplying}>
      <div className="plan-body">
        <div ref={main} className="plan-main" tabIndex={0} role="group" aria-label={words.plan.table}>
          {work.note !== null && (
            <p>
              <ShownText text={work.note} />
            </p>
          )}
          {state.step === 'planning' && shown === null && <p aria-hidden="true">{words.plan.planning}</p>}
          {state.step === 'interrupted' && <Interruption error={state.error} />}
          {state.step === 'conflict' && <ConflictView zone={zone.name} conflict={state.conflict} />}
          {(state.step === 'failed' || state.step === 'unsent') && <Trouble error={state.error} />}
          {isApplying && state.isSignedOut && <Interruption error={null} />}
          {isApplying && state.attempt > 0 && <p role="alert">{words.plan.tryingText}</p>}
          {shown !== null && (
            <TrialRows
              zone={zone.name}
              trial={shown}
              note={note}
              onRemove={isOfEntries ? remove : undefined}
              onShow={owner === undefined || isApplying ? undefined : show}
            />
          )}
        </div>
        <div className="plan-side">
          {/* Screen readers need the element before its first text. */}
          <div aria-live="polite" className="plan-numbers">
            {state.step === 'planning' && (
              <p className={shown === null ? 'visually-hidden' : undefined}>{words.plan.planning}</p>
            )}
            {shown !== null && <TrialNumbers trial={shown} />}
          </div>
          {shown !== null && (
            <TrialSummary
              zone={zone.name}
              trial={shown}
              most={subject.kind === shown.subject.kind ? null : room.changes}
              file={owner === undefined || isApplying ? undefined : { correct, show, isCorrected }}
              onEntries={isOfEntries ? (changed) => change(changed, base) : undefined}
            />
          )}
          <PlanFoot
            zone={zone.name}
            state={state}
            message={message}
            onMessage={setMessage}
            onApply={(tried) => void apply(tried, message.trim())}
            onAgain={again}
            onPlanAgain={planAgain}
            onClose={onClose}
          />
        </div>
      </div>
    </SheetFrame>
  );
}

/** @param error `null`: the session is over */
function Interruption({ error }: { readonly error: NoAnswer | null }) {
  return (
    <p role="alert" className="notice">
      <ShownText text={error === null ? words.plan.sessionOver : `${error.message} ${words.plan.resumes}`} />
    </p>
  );
}

/** Limits to assume until the service reports its own. */
const USUAL = { changes: 1000, body: 1_048_576 };

function useRoom(zoneTtl: number): Room {
  const { data: whoami } = useWhoami();
  const { max_changes: changes = USUAL.changes, max_body_size: body = USUAL.body } = whoami?.service ?? {};
  return useMemo(() => ({ changes, body, zoneTtl }), [changes, body, zoneTtl]);
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
