import type { StoredRecord } from '../api/types.js';
import { draftOf, type Entry } from './pending.js';

/** What one change has done to one record. */
export interface Step {
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
}

/**
 * The entries that take a change back: what it made goes, what it removed comes again, what it altered becomes what it was.
 * @param steps in the order in which they happened
 */
export function inverseOf(steps: readonly Step[]): readonly Entry[] {
  const entries = new Map<string, Entry>();
  for (const { before, after } of joinedSteps(steps)) {
    if (before === null && after !== null) entries.set(after.id, { action: 'delete', key: after.id, before: after });
    if (before !== null && after === null)
      entries.set(before.id, { action: 'create', key: before.id, record: asText(before) });
    if (before !== null && after !== null)
      entries.set(after.id, { action: 'update', key: after.id, before: after, record: asText(before) });
  }
  return [...entries.values()];
}

/** A record may have been changed several times in one change. */
function joinedSteps(steps: readonly Step[]): Step[] {
  const byId = new Map<string, Step>();
  for (const { before, after } of steps) {
    const id = (before ?? after)?.id;
    if (id === undefined) continue;
    byId.set(id, { before: byId.has(id) ? (byId.get(id)?.before ?? null) : before, after });
  }
  return [...byId.values()].filter(({ before, after }) => before !== null || after !== null);
}

/** Data comes back exactly as it was written. */
function asText(record: StoredRecord) {
  const { fields: _fields, ...draft } = draftOf(record);
  return draft;
}
