import { DiffLine } from '../changes/diff-line.js';
import { diffOf } from '../changes/text-diff.js';
import type { RecordType, Zone } from '../api/types.js';
import { words } from '../words/index.js';
import type { FormContent } from './form-content.js';
import { previewOf } from './preview.js';

interface Props {
  readonly content: FormContent;
  /** The stored record; `null` for a new one. */
  readonly before: FormContent | null;
  readonly type: RecordType | undefined;
  readonly zone: Zone;
}

/** The record that the form describes, as a line of a zone file. An edit shows the old line above it. */
export function RecordPreview({ content, before, type, zone }: Props) {
  const after = previewOf(content, type, zone);
  const old = before === null ? null : previewOf(before, type, zone);
  const diff = old === null || old === after ? null : diffOf(old, after);
  return (
    <div role="group" aria-label={words.form.preview} className="preview">
      {diff === null ? (
        <DiffLine side={old === null ? 'added' : 'same'} chunks={[{ text: after, isChanged: false }]} />
      ) : (
        <>
          <DiffLine side="removed" chunks={diff.before} />
          <DiffLine side="added" chunks={diff.after} />
        </>
      )}
    </div>
  );
}
