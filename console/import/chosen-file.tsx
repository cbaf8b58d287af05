import { Field } from '../parts/field.js';
import { words } from '../words/index.js';

interface Props {
  readonly label?: string;
  readonly hint?: string;
  /** How many octets the service takes. */
  readonly most: number;
  readonly fault: string | undefined;
  readonly onFault: (fault: string) => void;
  readonly onText: (text: string) => void;
}

/** A zone file that is chosen or dropped, and read at once. */
export function ChosenFile({
  label = words.import.file,
  hint = words.import.fileHint,
  most,
  fault,
  onFault,
  onText,
}: Props) {
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > most) {
      onFault(words.import.tooLarge(most));
      return;
    }
    try {
      onText(await file.text());
    } catch {
      // It may have been moved since it was chosen.
      onFault(words.import.unreadable);
    }
  };
  return (
    <Field label={label} hint={hint} error={fault}>
      {(control) => (
        <input
          {...control}
          type="file"
          // So that the same file can be chosen again after it was mended.
          onClick={({ currentTarget }) => (currentTarget.value = '')}
          onChange={({ target }) => void choose(target.files?.[0])}
        />
      )}
    </Field>
  );
}
