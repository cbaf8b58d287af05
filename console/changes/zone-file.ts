import type { StoredRecord } from '../api/types.js';
import { type Entry, hasSameData, type RecordDraft } from './pending.js';

/** The upload that replaces a change set above its size limit. */
export interface ZoneFile {
  readonly mode: 'merge' | 'replace';
  readonly text: string;
}

/** Whether a file of new records and TTLs alone would not say it: one of the whole zone does then. */
export const needsWholeZone = (entries: readonly Entry[]): boolean =>
  entries.some((entry) => entry.action === 'delete' || (entry.action === 'update' && isAnother(entry)));

/** How many of them a zone file cannot say: it has neither comments nor expiry. */
export const beyondFiles = (entries: readonly Entry[]): number => entries.filter(isBeyond).length;

/** The records of the entries, or of the whole zone after the entries. */
export function zoneFileOf(entries: readonly Entry[], zone: readonly StoredRecord[] | null, zoneTtl: number): ZoneFile {
  const drafts = entries.flatMap((entry) => (entry.action === 'delete' ? [] : [entry.record]));
  const replaced = new Set(entries.flatMap((entry) => (entry.action === 'create' ? [] : [entry.before.id])));
  const untouched = (zone ?? []).filter(({ id }) => !replaced.has(id));
  const text = [...untouched, ...drafts].map((record) => `${lineOf(record, zoneTtl)}\n`).join('');
  return { mode: zone === null ? 'merge' : 'replace', text };
}

/** With its TTL always: a line without one would have that of the line before it. */
function lineOf({ name, type, data, priority, ttl }: RecordDraft | StoredRecord, zoneTtl: number): string {
  return `${name} ${ttl ?? zoneTtl} IN ${type} ${priority === null ? '' : `${priority} `}${data}`;
}

/** Whether a zone file import would replace the record by a new one. */
function isAnother({ before, record }: Extract<Entry, { action: 'update' }>): boolean {
  return record.name !== before.name || record.priority !== before.priority || !hasSameData(before, record);
}

function isBeyond(entry: Entry): boolean {
  if (entry.action === 'delete') return false;
  const { record } = entry;
  // The data of a record that the service has not seen is known by its fields alone.
  if (record.data === '') return true;
  const kept = entry.action === 'update' && !isAnother(entry) ? entry.before : null;
  const isSameComment = (record.description ?? '') === (kept?.description ?? '');
  return !isSameComment || (record.expires_at ?? null) !== (kept?.expires_at ?? null);
}
