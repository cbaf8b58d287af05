import type { StoredRecord } from '../api/types.js';
import { draftOf, isSame, type Update } from '../changes/pending.js';

/** New values for many records; empty fields stay unchanged. */
export interface BulkEdit {
  readonly ttl: number | null;
  readonly comment: string;
  readonly find: string;
  readonly replace: string;
}

/** The updates of those records that the edit changes. */
export function updatesOf(records: readonly StoredRecord[], { ttl, comment, find, replace }: BulkEdit): Update[] {
  return records.flatMap((before) => {
    const { fields: _fields, ...draft } = draftOf(before);
    const record = {
      ...draft,
      ...(ttl !== null && { ttl }),
      ...(comment !== '' && { description: comment }),
      ...(find !== '' && { data: before.data.replaceAll(find, () => replace) }),
    };
    return isSame(before, record) ? [] : [{ action: 'update' as const, key: before.id, before, record }];
  });
}
