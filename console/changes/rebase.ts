import type { Difference, StoredRecord } from '../api/types.js';
import {
  type Base,
  draftOf,
  type Entry,
  hasSameData,
  isSame,
  type Pending,
  type RecordDraft,
  type Update,
} from './pending.js';

export interface Rebased {
  readonly pending: Pending;
  /** Keys of entries whose record was deleted: the user has to decide about them. */
  readonly gone: ReadonlySet<string>;
}

/**
 * Rebases pending changes onto changes by others. Entries show the current records. Entries of deleted records stay,
 * because only the user knows whether they are still wanted.
 */
export function rebased(pending: Pending, since: readonly Difference[], base: Base): Rebased {
  const after = new Map(since.flatMap(({ before, after }) => (before === null ? [] : [[before.id, after] as const])));
  const gone = new Set<string>();
  const entries = pending.entries.flatMap((entry): Entry[] => {
    if (entry.action === 'create' || !after.has(entry.before.id)) return [entry];
    const now = after.get(entry.before.id) ?? null;
    if (now !== null) return entry.action === 'delete' ? [{ ...entry, before: now }] : updateOf(entry, now);
    // The record is already deleted, as intended.
    if (entry.action === 'delete') return [];
    gone.add(entry.key);
    return [entry];
  });
  return { pending: { base, entries }, gone };
}

/** The user's fields, and the current values of all other fields. */
function updateOf({ key, before, record }: Update, now: StoredRecord): Update[] {
  const theirs = draftOf(now);
  const merged: RecordDraft = {
    ...(hasSameData(before, record) ? theirs : record),
    name: record.name === before.name ? theirs.name : record.name,
    priority: record.priority === before.priority ? theirs.priority : record.priority,
    ttl: record.ttl === before.ttl ? theirs.ttl : record.ttl,
    description: record.description === before.description ? theirs.description : record.description,
    expires_at:
      (record.expires_at ?? null) === (before.expires_at ?? null)
        ? (theirs.expires_at ?? null)
        : (record.expires_at ?? null),
  };
  // Others may have made the same change.
  return isSame(now, merged) ? [] : [{ action: 'update', key, before: now, record: merged }];
}

/** Converts an update of a deleted record into a creation. */
export function createdAnew(entry: Entry): Entry {
  return entry.action === 'update' ? { action: 'create', key: entry.key, record: entry.record } : entry;
}

/** The entries about record sets that others have changed too, by their keys. */
export function touchedByOthers(entries: readonly Entry[], since: readonly Difference[]): ReadonlySet<string> {
  const sets = new Set(
    since.flatMap(({ before, after }) => [before, after].flatMap((one) => (one ? [setOf(one)] : []))),
  );
  const isTouched = (entry: Entry): boolean =>
    (entry.action !== 'create' && sets.has(setOf(entry.before))) ||
    (entry.action !== 'delete' && sets.has(setOf(entry.record)));
  return new Set(entries.filter(isTouched).map(({ key }) => key));
}

const setOf = ({ name, type }: { readonly name: string; readonly type: string }): string =>
  `${name.toLowerCase()} ${type}`;
