import { Copied, hasClipboard, useCopying } from '../parts/copied.js';
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
  const { label, times, copy } = useCopying();
  return (
    <>
      <dl className="facts copyable" aria-label={of}>
        {fields.map((field) => (
          <div key={field.label}>
            <dt>{field.label}</dt>
            <dd>
              <span className="data">{field.shown ?? field.value}</span>
              <button
                type="button"
                aria-label={words.dnssec[label === field.label ? 'copiedOf' : 'copyOf'](field.label, of)}
                disabled={!hasClipboard()}
                onClick={() => copy(field.value, field.label)}
              >
                {label === field.label ? words.common.copied : words.common.copy}
              </button>
            </dd>
          </div>
        ))}
      </dl>
      <Copied isHidden times={times} text={`${label}: ${words.common.copied}`} />
    </>
  );
}
