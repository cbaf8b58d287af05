import { useState } from 'react';
import { words } from '../words/index.js';
import { Field } from './field.js';

interface Props {
  readonly label: string;
  readonly text: string;
}

/** Something to be copied, such as what is shown once. It is in no state but that of whoever shows it. */
export function CopyField({ label, text }: Props) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
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
      <span role="status">{isCopied && words.common.copied}</span>
    </div>
  );
}
