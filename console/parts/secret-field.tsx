import { useState } from 'react';
import { words } from '../words/index.js';
import { Field } from './field.js';

interface Props {
  readonly label: string;
  readonly secret: string;
}

/** Something to be copied, such as what is shown once. It is in no state but that of whoever shows it. */
export function SecretField({ label, secret }: Props) {
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(secret);
    setCopied(true);
  };
  return (
    <div className="value">
      <Field label={label}>
        {(control) => (
          <input
            {...control}
            readOnly
            value={secret}
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
