import type { HistoryEntry } from '../api/types.js';
import { groupedBy } from '../parts/grouped.js';

/** One change: all entries that were stored together. */
export interface Change {
  readonly id: string;
  readonly serial: number;
  readonly at: string;
  readonly actor: HistoryEntry['actor'] | null;
  /** The latest first, as they come. */
  readonly entries: readonly HistoryEntry[];
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/** Entries of the history by the changes that they belong to, in their order. */
export function changesOf(entries: readonly HistoryEntry[]): Change[] {
  const groups = groupedBy(entries, ({ change_id }) => change_id);
  return [...groups].map(([id, group]) => {
    const [first] = group;
    const times = (action: HistoryEntry['action']): number => group.filter((entry) => entry.action === action).length;
    return {
      id,
      serial: first?.serial ?? 0,
      at: first?.at ?? '',
      actor: first?.actor ?? null,
      entries: group,
      created: times('record.create'),
      updated: times('record.update'),
      deleted: times('record.delete'),
    };
  });
}
