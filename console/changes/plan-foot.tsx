import { useEffect, useState } from 'react';
import { Field } from '../parts/field.js';
import { words } from '../words/index.js';
import { type Danger, dangerOf } from './plan.js';
import type { Conflict, Trial } from './plan-requests.js';
import type { PlanState } from './use-plan.js';

const LONGEST_MESSAGE = 500;

interface Props {
  readonly zone: string;
  readonly state: PlanState;
  readonly message: string;
  readonly onMessage: (message: string) => void;
  readonly onApply: (trial: Trial) => void;
  readonly onAgain: () => void;
  readonly onPlanAgain: (conflict: Conflict) => void;
  readonly onClose: () => void;
}

/** The message field and the actions of a plan. */
export function PlanFoot({ zone, state, message, onMessage, onApply, onAgain, onPlanAgain, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const isApplying = state.step === 'applying';
  const trial = 'trial' in state ? state.trial : null;
  const danger = trial === null || trial.isFaulty ? null : dangerOf(trial.rows, trial.counts);
  const isConfirmed = danger === null || typed.trim().toLowerCase() === zone.toLowerCase();
  const mayApply = trial !== null && !trial.isFaulty && trial.rows.length > 0 && isConfirmed && !isApplying;
  useApplyKey(mayApply ? () => onApply(trial) : null);
  return (
    <form
      className="plan-foot"
      onSubmit={(event) => {
        event.preventDefault();
        if (mayApply) onApply(trial);
      }}
    >
      {trial !== null && !trial.isFaulty && trial.rows.length > 0 && (
        <Field label={words.plan.message} hint={words.plan.messageHint}>
          {(control) => (
            <input
              {...control}
              value={message}
              maxLength={LONGEST_MESSAGE}
              autoComplete="off"
              // A request that is sent again is sent as it was.
              readOnly={state.step !== 'planned'}
              onChange={({ target }) => onMessage(target.value)}
            />
          )}
        </Field>
      )}
      {danger !== null && !isApplying && (
        <Field label={words.plan.confirm(zone)} hint={saysOf(danger)}>
          {(control) => (
            <input {...control} value={typed} onChange={({ target }) => setTyped(target.value)} spellCheck={false} />
          )}
        </Field>
      )}
      <div className="buttons">
        <button type="button" onClick={onClose} disabled={isApplying}>
          {words.plan.back}
        </button>
        {state.step === 'failed' && (
          <button type="button" className="primary" onClick={onAgain}>
            {words.plan.tryAgain}
          </button>
        )}
        {state.step === 'unsent' && (
          <>
            <button type="button" onClick={onAgain}>
              {words.plan.planAgain}
            </button>
            <button type="button" className="primary" onClick={() => onApply(state.trial)}>
              {words.plan.tryAgain}
            </button>
          </>
        )}
        {state.step === 'conflict' && (
          <button type="button" className="primary" onClick={() => onPlanAgain(state.conflict)}>
            {words.plan.planAgain}
          </button>
        )}
        {state.step !== 'failed' && state.step !== 'unsent' && state.step !== 'conflict' && (
          <button type="submit" className="primary" disabled={!mayApply}>
            {isApplying ? (state.attempt > 0 ? words.plan.tryingAgain : words.plan.applying) : words.plan.apply}
          </button>
        )}
      </div>
    </form>
  );
}

/** Ctrl+Enter applies wherever the focus is in the dialog: it begins at its head. */
function useApplyKey(apply: (() => void) | null): void {
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || apply === null) return;
      event.preventDefault();
      apply();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [apply]);
}

function saysOf(danger: Danger): string {
  return danger.kind === 'share' ? words.plan.confirmShare(danger.percent) : words.plan.confirmLast(danger.type);
}
