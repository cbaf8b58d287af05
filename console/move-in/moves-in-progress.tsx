import { Link } from 'wouter';
import { useWhoami } from '../api/queries.js';
import { Moment } from '../parts/moment.js';
import { ShownText } from '../parts/shown-text.js';
import { words } from '../words/index.js';
import { type Move, moveAddress, STEPS } from './move.js';
import { useMoves } from './move-store.js';
import './moves.css';

interface Props {
  /** Actions of a row besides the link. */
  readonly action?: (move: Move) => React.ReactNode;
}

/** The moves that this browser keeps, each with its step. */
export function MovesInProgress({ action }: Props) {
  const { data: whoami } = useWhoami();
  const moves = useMoves(whoami?.tenant_id ?? '');
  if (moves.length === 0) return null;
  return (
    <section className="move-moves" aria-labelledby="moves">
      <h2 id="moves">{words.moves.inProgress}</h2>
      <ul aria-labelledby="moves">
        {moves.map((move) => (
          <li key={move.domain}>
            <Link href={moveAddress(move.domain, move.step)} aria-label={words.moves.continueOf(move.domain)}>
              <ShownText text={move.domain} longest={255} />
            </Link>
            <span className="quiet-text">
              {words.moves.stepOf(STEPS.indexOf(move.step) + 1, STEPS.length, words.moves.steps[move.step])} ·{' '}
              <Moment at={move.at} />
            </span>
            {action?.(move)}
          </li>
        ))}
      </ul>
    </section>
  );
}
