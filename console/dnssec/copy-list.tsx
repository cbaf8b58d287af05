import { useState } from 'react';
import { Copied } from '../parts/copied.js';
import { words } from '../words/index.js';

interface CopiedField {
  readonly label: string;
  /** The text to copy. */
  readonly value: string;
  readonly shown?: string;
}

interface Props {
  /** The record that has the fields. */
  readonly of: string;
  readonly fields: readonly CopiedField[];
}

/** The fields of a record as registrars ask for them, each with a copy button. */
export function CopyList({ of, fields }: Props) {
  const [copied, setCopied] = useState<string | null>(null);
  const [times, setTimes] = useState(0);
  const copy = async ({ label, value }: CopiedField): Promise<void> => {
    await navigator.clipboard.writeText(value);
    setCopied(label);
    setTimes((before) => before + 1);
  };
  return (
    <>
      <dl className="facts copyable" aria-label={of}>
        {fields.map((field) => (
          <div key={field.label}>
            <dt>{field.label}</dt>
            <dd>
              <span className="data">{field.shown ?? field.value}</span>
              {/* Browsers have a clipboard for pages of https and of this machine alone. */}
              <button
                type="button"
                aria-label={words.dnssec[copied === field.label ? 'copiedOf' : 'copyOf'](field.label, of)}
                disabled={!('clipboard' in navigator)}
                onClick={() => void copy(field).catch(() => {})}
              >
                {copied === field.label ? words.common.copied : words.common.copy}
              </button>
            </dd>
          </div>
        ))}
      </dl>
      <Copied isHidden times={times} text={`${copied}: ${words.common.copied}`} />
    </>
  );
}
