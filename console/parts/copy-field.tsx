import { words } from '../words/index.js';
import { Copied, hasClipboard, useCopying } from './copied.js';
import { Field } from './field.js';

interface Props {
  readonly label: string;
  readonly text: string;
}

/** A value to copy, such as a secret shown once. Only the caller holds it in state. */
export function CopyField({ label, text }: Props) {
  const { times, copy } = useCopying();
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
      <button type="button" disabled={!hasClipboard()} onClick={() => copy(text)}>
        {words.common.copy}
      </button>
      <Copied times={times} />
    </div>
  );
}
