import type { StoredRecord } from '../api/types.js';

/** A record as the user entered it. */
export interface RecordDraft {
  readonly name: string;
  readonly type: string;
  /** The data as the service writes it; of data that it has not seen yet, as far as it is known. */
  readonly data: string;
  /** The data by fields, where it was entered so. */
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly priority: number | null;
  readonly ttl: number | null;
  readonly description: string | null;
  readonly expires_at?: string | null;
}

interface Keyed {
  /** The id of an existing record, or a generated key for a new one. */
  readonly key: string;
}
export interface Creation extends Keyed {
  readonly action: 'create';
  readonly record: RecordDraft;
}
export interface Update extends Keyed {
  readonly action: 'update';
  readonly before: StoredRecord;
  readonly record: RecordDraft;
}
export interface Deletion extends Keyed {
  readonly action: 'delete';
  readonly before: StoredRecord;
}
export type Entry = Creation | Update | Deletion;

/** The state of a zone that changes are meant for. */
export interface Base {
  readonly etag: string;
  readonly serial: number;
}

/** Pending changes of one zone, not stored yet. */
export interface Pending {
  readonly base: Base | null;
  readonly entries: readonly Entry[];
}

export const NOTHING_PENDING: Pending = { base: null, entries: [] };

/** Adds an entry and replaces an earlier one for the same record. Drops entries that cancel out. */
export function withEntry(pending: Pending, entry: Entry, base: Base): Pending {
  const earlier = pending.entries.find(({ key }) => key === entry.key);
  const next = joined(earlier, entry);
  if (earlier === undefined) return next === null ? pending : shaped([...pending.entries, next], pending.base ?? base);
  return shaped(
    pending.entries.flatMap((one) => (one === earlier ? (next === null ? [] : [next]) : [one])),
    pending.base ?? base,
  );
}

export function withoutEntry({ base, entries }: Pending, key: string): Pending {
  return shaped(
    entries.filter((entry) => entry.key !== key),
    base,
  );
}

/** Changes of nothing are meant for no state. */
function shaped(entries: readonly Entry[], base: Base | null): Pending {
  return entries.length === 0 ? NOTHING_PENDING : { base, entries };
}

function joined(earlier: Entry | undefined, entry: Entry): Entry | null {
  if (entry.action === 'delete') return earlier?.action === 'create' ? null : entry;
  if (entry.action === 'update' && isSame(entry.before, entry.record)) return null;
  return entry;
}

/** Whether a draft equals the stored record. */
export function isSame(before: StoredRecord, record: RecordDraft): boolean {
  return Object.keys(changedFields(before, record)).length === 0;
}

/** The fields of an update: those that differ. */
function changedFields(before: StoredRecord, record: RecordDraft): Record<string, unknown> {
  const { name, priority, ttl, description } = record;
  return {
    ...(name !== before.name && { name }),
    ...(!hasSameData(before, record) && dataOf(record)),
    ...(priority !== before.priority && { priority }),
    ...(ttl !== before.ttl && { ttl }),
    ...(description !== before.description && { description }),
    ...((record.expires_at ?? null) !== (before.expires_at ?? null) && { expires_at: record.expires_at ?? null }),
  };
}

export function hasSameData(before: StoredRecord, { data, fields }: RecordDraft): boolean {
  if (fields === undefined || before.fields === undefined || before.fields === null) return data === before.data;
  return JSON.stringify(sorted(fields)) === JSON.stringify(sorted(before.fields));
}

const dataOf = ({ data, fields }: RecordDraft): object => (fields === undefined ? { data } : { fields });

/** The service also treats a single value as a list of one. */
function sorted(fields: Readonly<Record<string, unknown>>): unknown {
  return Object.keys(fields)
    .sort()
    .map((name) => {
      const value: unknown = fields[name];
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      return [name, values];
    });
}

/** The entries as a change set has them. */
export function changeSetOf(entries: readonly Entry[]): { readonly changes: readonly object[] } {
  return { changes: entries.map(sentEntry) };
}

function sentEntry(entry: Entry): object {
  if (entry.action === 'delete') return { action: 'delete', id: entry.before.id };
  if (entry.action === 'update')
    return { action: 'update', id: entry.before.id, record: changedFields(entry.before, entry.record) };
  const { name, type, priority, ttl, description, expires_at } = entry.record;
  const record = {
    ...{ name, type, ...dataOf(entry.record), priority, ttl, description },
    ...(expires_at !== undefined && expires_at !== null && { expires_at }),
  };
  return { action: 'create', record };
}

/** The record of an entry after the change, or before a deletion. */
export const subjectOf = (entry: Entry): RecordDraft =>
  entry.action === 'delete' ? draftOf(entry.before) : entry.record;

/** The stored record as initial form content. */
export function draftOf(record: StoredRecord): RecordDraft {
  const { name, type, data, fields, priority, ttl, description, expires_at } = record;
  return {
    ...{ name, type, data, priority, ttl, description },
    ...(fields !== undefined && fields !== null && { fields }),
    ...(expires_at !== undefined && { expires_at }),
  };
}
