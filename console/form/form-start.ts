import type { StoredRecord } from '../api/types.js';
import type { RecordDraft } from '../changes/pending.js';

/** The reason for opening the form. */
export type FormStart =
  | { readonly kind: 'add'; readonly draft: RecordDraft | null }
  | {
      readonly kind: 'edit';
      readonly key: string;
      /** `null` for a record that is not stored yet. */
      readonly before: StoredRecord | null;
      readonly draft: RecordDraft | null;
    };
