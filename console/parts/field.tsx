import { type ReactElement, type ReactNode, useId } from 'react';
import { words } from '../words/index.js';
import { ShownText } from './shown-text.js';

/** Properties for the control of a field. */
export interface ControlProps {
  readonly id: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
  readonly 'aria-errormessage'?: string;
}

interface Props {
  readonly label: string;
  /** Shown next to the label, so that it is not part of the accessible name. */
  readonly isOptional?: boolean;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (control: ControlProps) => ReactElement;
}

/** A control with its label, hint and error. */
export function Field({ label, isOptional = false, hint, error, children }: Props) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const optionalId = `${id}-optional`;
  const describing = [isOptional && optionalId, hint !== undefined && hintId, error !== undefined && errorId]
    .filter((one) => one !== false)
    .join(' ');
  return (
    <div className={error === undefined ? 'field' : 'field faulty'}>
      <div>
        <label htmlFor={id}>{label}</label>
        {isOptional && (
          <span id={optionalId} className="optional">
            {words.common.optional}
          </span>
        )}
      </div>
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
