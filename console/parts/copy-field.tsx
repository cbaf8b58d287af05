import { useState } from 'react';
import { words } from '../words/index.js';
import { Copied } from './copied.js';
import { Field } from './field.js';

interface Props {
  readonly label: string;
  readonly text: string;
}

/** A value to copy, such as a secret shown once. Only the caller holds it in state. */
export function CopyField({ label, text }: Props) {
  const [times, setTimes] = useState(0);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setTimes((before) => before + 1);
  };
  return (
    <div className="value">
      <Field label={label}>
        {(control) => (
          <input
            {...control}
            readOnly
            value={text}
            autoComplete="off"
            spellCheck={false}
            onFocus={({ target }) => target.select()}
          />
        )}
      </Field>
      {/* Browsers have a clipboard for pages of https and of this machine alone. */}
      <button type="button" disabled={!('clipboard' in navigator)} onClick={() => void copy().catch(() => {})}>
        {words.common.copy}
      </button>
      <Copied times={times} />
    </div>
  );
}
