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
  /** The keys of entries whose record is gone: somebody has to decide what becomes of them. */
  readonly gone: ReadonlySet<string>;
}

/**
 * The changes on top of what others have done since they were begun. Entries see the records as they are now; those whose
 * record is gone stay, because only their author knows whether they are still wanted.
 */
export function rebased(pending: Pending, since: readonly Difference[], base: Base): Rebased {
  const after = new Map(since.flatMap(({ before, after }) => (before === null ? [] : [[before.id, after] as const])));
  const gone = new Set<string>();
  const entries = pending.entries.flatMap((entry): Entry[] => {
    if (entry.action === 'create' || !after.has(entry.before.id)) return [entry];
    const now = after.get(entry.before.id) ?? null;
    if (now !== null) return entry.action === 'delete' ? [{ ...entry, before: now }] : updateOf(entry, now);
    // Whoever wanted it deleted has what was wanted.
    if (entry.action === 'delete') return [];
    gone.add(entry.key);
    return [entry];
  });
  return { pending: { base, entries }, gone };
}

/** What somebody has changed, and of everything else what others have made of it. */
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

/** An update of a record that is gone, as a new record. */
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
