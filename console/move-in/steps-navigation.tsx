import { Link } from 'wouter';
import { moveIn } from '../words/move-in.js';
import { words } from '../words/index.js';
import { Icon } from '../parts/icon.js';
import { moveAddress, type Step, STEPS } from './move.js';

interface Props {
  readonly domain: string;
  readonly current: Step;
  readonly done: readonly Step[];
  /** Steps that can be opened. */
  readonly open: readonly Step[];
}

/** The steps of a move, as links. A step that needs the zone is text until the zone exists. */
export function StepsNavigation({ domain, current, done, open }: Props) {
  const position = STEPS.indexOf(current);
  return (
    <nav className="move-steps" aria-label={moveIn.steps}>
      <p role="status" className="visually-hidden">
        {words.moves.stepOf(position + 1, STEPS.length, words.moves.steps[current])}
      </p>
      <ol>
        {STEPS.map((step, at) => {
          const isDone = done.includes(step);
          const label = (
            <>
              <span className="move-number" aria-hidden="true">
                {isDone && step !== current ? <Icon name="done" /> : at + 1}
              </span>
              <span className="move-title">{words.moves.steps[step]}</span>
              {isDone && <span className="visually-hidden"> {words.dnssec.stepDone}</span>}
            </>
          );
          return (
            <li key={step} className={isDone ? 'done' : undefined} aria-current={step === current ? 'step' : undefined}>
              {open.includes(step) && step !== current ? (
                <Link href={moveAddress(domain, step)}>{label}</Link>
              ) : (
                <span>{label}</span>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
