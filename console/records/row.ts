import type { ListedRecord } from '../api/types.js';
import type { RecordSearch } from './use-record-pages.js';
import { type Entry, type RecordDraft, subjectOf } from '../changes/pending.js';

/** A line of the table: a stored record, what is to become of it, or a record that is to be. */
export interface Row {
  readonly key: string;
  readonly stored: ListedRecord | null;
  readonly entry: Entry | null;
  readonly shown: RecordDraft | ListedRecord;
}

export function rowOf(stored: ListedRecord, entries: ReadonlyMap<string, Entry>): Row {
  const entry = entries.get(stored.id) ?? null;
  return { key: stored.id, stored, entry, shown: entry?.action === 'update' ? entry.record : stored };
}

/** Whether a record that is not stored yet belongs to what is searched for, as the service would find it (behaviour 6.7). */
export function isFound({ name, type, data, description }: RecordDraft, search: RecordSearch): boolean {
  const q = search.q.toLowerCase();
  const hasText = [name, data, description ?? ''].some((text) => text.toLowerCase().includes(q));
  const isOfName = search.name === '' || search.name.toLowerCase() === name.toLowerCase();
  return hasText && isOfName && (search.type === '' || search.type === type);
}

export function newRow(entry: Entry): Row {
  return { key: entry.key, stored: null, entry, shown: subjectOf(entry) };
}
