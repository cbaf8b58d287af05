import type { Change, ChangeActor, HistoryEntry } from '../api/types.js';
import { groupedBy } from '../parts/grouped.js';

/** One change as the history shows it: all entries that were stored together. */
export interface PastChange {
  readonly id: string;
  readonly serial: number;
  readonly at: string;
  readonly actor: Omit<ChangeActor, 'token_description'> | null;
  readonly message: string | null;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly isCreationOfZone: boolean;
  /** The number of its latest entry. */
  readonly latest: number;
  /** What is known of its entries, the latest first; `null` where they were not asked for. */
  readonly entries: readonly HistoryEntry[] | null;
}

const CREATION_OF_ZONE = 'domain.create';

export function pastChange(change: Change): PastChange {
  const { change_id: id, serial, at, actor, message, records, domain_actions: actions, last: latest } = change;
  return {
    ...{ id, serial, at, actor, message, ...records, latest },
    isCreationOfZone: actions.includes(CREATION_OF_ZONE),
    entries: null,
  };
}

/** Entries of the history by the changes that they belong to, in their order. */
export function changesOf(entries: readonly HistoryEntry[]): PastChange[] {
  const groups = groupedBy(entries, ({ change_id }) => change_id);
  return [...groups].flatMap(([id, group]): PastChange[] => {
    const [first] = group;
    if (first === undefined) return [];
    const times = (action: HistoryEntry['action']): number => group.filter((entry) => entry.action === action).length;
    return [
      {
        ...{ id, serial: first.serial, at: first.at, actor: first.actor, latest: first.number, entries: group },
        message: group.find(({ message }) => message !== null)?.message ?? null,
        created: times('record.create'),
        updated: times('record.update'),
        deleted: times('record.delete'),
        isCreationOfZone: times(CREATION_OF_ZONE) > 0,
      },
    ];
  });
}

/** What an entry of the history did to its record. */
export function actionOf(action: HistoryEntry['action']): 'create' | 'update' | 'delete' {
  if (action.endsWith('.create')) return 'create';
  return action.endsWith('.delete') ? 'delete' : 'update';
}
