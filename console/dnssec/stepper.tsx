import type { ReactNode } from 'react';
import { words } from '../words/index.js';
import './stepper.css';

interface Props {
  readonly label: string;
  readonly titles: readonly string[];
  /** The position of the current step; `titles.length` if all are done. */
  readonly current: number;
  /** The current step: what to do, or what it waits for. */
  readonly children?: ReactNode;
}

/** Numbered steps, with the content of the current one. */
export function Stepper({ label, titles, current, children }: Props) {
  const now = titles[current];
  return (
    <>
      <p role="status" className="visually-hidden">
        {now !== undefined && words.dnssec.stepNow(current + 1, titles.length, now)}
      </p>
      <ol className="stepper" aria-label={label}>
        {titles.map((title, position) => (
          <li
            key={title}
            className={position < current ? 'done' : undefined}
            aria-current={position === current ? 'step' : undefined}
          >
            <h3>
              {title}
              {position < current && <span className="visually-hidden"> {words.dnssec.stepDone}</span>}
            </h3>
            {position === current && children}
          </li>
        ))}
      </ol>
    </>
  );
}
