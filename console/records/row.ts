import type { ListedRecord } from '../api/types.js';
import type { RecordSearch } from './use-record-pages.js';
import { type Entry, type RecordDraft, subjectOf } from '../changes/pending.js';
import { type Permitted, permittedAt } from '../session/permitted.js';

/** A table row: a stored record with its pending change, or a new record. */
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

/** Whether a pending record matches the search, as in the service (behavior 6.7). It has just been changed. */
export function isFound(record: RecordDraft, search: RecordSearch, zoneTtl: number): boolean {
  const { name, type, data, description } = record;
  const { ttl_above = '', ttl_below = '' } = search;
  const q = search.q.toLowerCase();
  const ttl = record.ttl ?? zoneTtl;
  return (
    [name, data, description ?? ''].some((text) => text.toLowerCase().includes(q)) &&
    (search.name === '' || search.name.toLowerCase() === name.toLowerCase()) &&
    (search.type === '' || search.type.split(',').includes(type)) &&
    ((search.data ?? '') === '' || search.data === data) &&
    (ttl_above === '' || ttl > Number(ttl_above)) &&
    (ttl_below === '' || ttl < Number(ttl_below))
  );
}

export function newRow(entry: Entry): Row {
  return { key: entry.key, stored: null, entry, shown: subjectOf(entry) };
}

/** The limits of a token apply to the stored record. */
export const permittedAtRow = (may: Permitted, { stored, shown }: Row): Permitted => permittedAt(may, stored ?? shown);

export const isWriter = (may: Permitted): boolean => may.create || may.update || may.delete;
