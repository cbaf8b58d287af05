import { type ReactNode, useId } from 'react';
import { Moment } from './moment.js';
import { ShownText } from './shown-text.js';
import './server-card.css';

interface Props {
  readonly address: string;
  /** The level of its heading on the page. */
  readonly level: 2 | 3 | 4;
  /** Its name and its look: color marks exceptions only. */
  readonly state: { readonly label: string; readonly look?: 'warn' | 'bad' | undefined };
  readonly children: ReactNode;
}

/** A name server with its state, in a list of the class `server-cards`. */
export function ServerCard({ address, level, state: { label, look }, children }: Props) {
  const heading = useId();
  const Heading = `h${level}` as const;
  return (
    <li aria-labelledby={heading} className={look}>
      <Heading id={heading} className="server-heading">
        <ShownText text={address} /> <span className="server-state">{label}</span>
      </Heading>
      {children}
    </li>
  );
}

/** One fact of a list of the class `facts`. */
export function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export const TimeFact = ({ label, at }: { readonly label: string; readonly at: string }) => (
  <Fact label={label}>
    <Moment at={at} />
  </Fact>
);
