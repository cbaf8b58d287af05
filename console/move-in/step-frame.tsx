import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useStatus } from '../frame/status.js';
import { useTitle } from '../frame/title.js';
import { moveIn } from '../words/move-in.js';
import { words } from '../words/index.js';
import { zoneAddress } from '../zones/zone-address.js';
import { moveAddress, type Step, STEPS } from './move.js';

interface Props {
  readonly domain: string;
  readonly step: Step;
  readonly intro: string;
  readonly children: ReactNode;
  /** Marks the step as done; `null`: it cannot be yet. */
  readonly onDone: (() => void) | null;
  /** The main action of a step that is not done by itself. */
  readonly action?: ReactNode;
  /** The label of the button that leads on, if it has a special one. */
  readonly done?: string;
}

/** The content of a step between its heading and the ways back and on. */
export function StepFrame({ domain, step, intro, children, onDone, action, done = moveIn.next }: Props) {
  const [, navigate] = useLocation();
  const status = useStatus();
  const position = STEPS.indexOf(step);
  const [before, after] = [STEPS[position - 1], STEPS[position + 1]];
  useTitle(`${words.moves.steps[step]} – ${domain}`);
  return (
    <section className="move-step" aria-labelledby="move-step">
      <h2 id="move-step">{moveIn.headings[step]}</h2>
      <p className="prose">{intro}</p>
      {children}
      <div className="move-foot">
        {before !== undefined && (
          <Link href={moveAddress(domain, before)}>{moveIn.back(words.moves.steps[before])}</Link>
        )}
        <div className="buttons">
          {action}
          {onDone !== null && (
            <button
              type="button"
              className="primary"
              onClick={() => {
                // On a phone it may cover the next step.
                status.clear();
                onDone();
                navigate(after === undefined ? zoneAddress(domain, 'records') : moveAddress(domain, after));
              }}
            >
              {done}
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
