import type { ListedRecord } from '../api/types.js';
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

export function newRow(entry: Entry): Row {
  return { key: entry.key, stored: null, entry, shown: subjectOf(entry) };
}
