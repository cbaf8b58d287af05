import type { DoneChanges } from '../api/types.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';

export type ReverseSteps = NonNullable<DoneChanges['reverse']>;

/** Beyond this they are counted and not drawn. */
const DRAWN = 20;

/** The PTR records that follow the addresses of a plan. */
export function PlanReverse({ steps }: { readonly steps: ReverseSteps }) {
  if (steps.length === 0) return null;
  return (
    <section aria-label={words.plan.reverse}>
      <p>{words.plan.reverse}</p>
      <ul className="findings">
        {steps.slice(0, DRAWN).map((step, index) => (
          <li key={index}>
            {step.problem !== null && <span className="badge pending">{words.plan.severities.warning}</span>}{' '}
            <ShownText text={step.problem ?? words.plan.reverseStep(step)} longest={600} />
          </li>
        ))}
      </ul>
      {steps.length > DRAWN && <p>{words.plan.moreReverse(steps.length - DRAWN)}</p>}
    </section>
  );
}
