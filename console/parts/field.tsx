import { type ReactElement, type ReactNode, useId } from 'react';
import { ShownText } from './shown-text.js';

/** What the control of a field is given. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-errormessage'?: string;
}

interface Props {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (control: ControlProps) => ReactElement;
}

/** A control with its label, its hint and what is wrong with it. */
export function Field({ label, hint, error, children }: Props) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describing = [hint === undefined ? '' : hintId, error === undefined ? '' : errorId].join(' ').trim();
  return (
    <div className={error === undefined ? 'field' : 'field faulty'}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(describing !== '' && { 'aria-describedby': describing }),
        ...(error !== undefined && { 'aria-invalid': true, 'aria-errormessage': errorId }),
      })}
      {hint !== undefined && (
        <div id={hintId} className="hint">
          {hint}
        </div>
      )}
      {error !== undefined && (
        <div id={errorId} className="error">
          <ShownText text={error} />
        </div>
      )}
    </div>
  );
}
