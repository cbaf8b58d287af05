import { flushSync } from 'react-dom';
import { Field } from '../parts/field.js';
import { words } from '../words/index.js';
import type { Reading } from './use-reading.js';

interface Props {
  readonly label?: string;
  readonly hint?: string;
  readonly isOptional?: boolean;
  /** How many octets the service takes. */
  readonly most: number;
  readonly fault: string | undefined;
  readonly reading: Reading;
  readonly onFault: (fault: string) => void;
  readonly onText: (text: string) => void;
}

/** A chosen or dropped zone file, read immediately. */
export function ChosenFile({
  label = words.import.file,
  hint = words.import.fileHint,
  isOptional = false,
  most,
  fault,
  reading,
  onFault,
  onText,
}: Props) {
  const read = async (file: File): Promise<boolean> => {
    if (file.size > most) {
      onFault(words.import.tooLarge(most));
      return false;
    }
    try {
      const text = await file.text();
      // The form may be waiting to send it.
      flushSync(() => onText(text));
      return true;
    } catch {
      // It may have been moved since it was chosen.
      onFault(words.import.unreadable);
      return false;
    }
  };
  return (
    <Field label={label} hint={hint} isOptional={isOptional} error={fault}>
      {(control) => (
        <input
          {...control}
          type="file"
          // So that the same file can be chosen again after it was mended.
          onClick={({ currentTarget }) => (currentTarget.value = '')}
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file !== undefined) reading.begin(read(file));
          }}
        />
      )}
    </Field>
  );
}
