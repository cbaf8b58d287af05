import type { Change, ChangeActor, HistoryEntry } from '../api/types.js';
import { groupedBy } from '../parts/grouped.js';

/** One change as the history shows it: all entries that were stored together. */
export interface PastChange {
  readonly id: string;
  readonly serial: number;
  readonly at: string;
  /** Entries alone have no description of the token. */
  readonly actor: (Omit<ChangeActor, 'token_description'> & Partial<ChangeActor>) | null;
  readonly message: string | null;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly isCreationOfZone: boolean;
  readonly isDeletionOfZone: boolean;
  /** The number of its latest entry. */
  readonly latest: number;
  /** Loaded entries, the latest first; `null`: not loaded. */
  readonly entries: readonly HistoryEntry[] | null;
}

const CREATION_OF_ZONE = 'domain.create';
const DELETION_OF_ZONE = 'domain.delete';

/** The number of records that it changed. */
export const sizeOf = ({ created, updated, deleted }: PastChange): number => created + updated + deleted;

export function pastChange(change: Change): PastChange {
  const { change_id: id, serial, at, actor, message, records, domain_actions: actions, last: latest } = change;
  return {
    ...{ id, serial, at, actor, message, ...records, latest },
    isCreationOfZone: actions.includes(CREATION_OF_ZONE),
    isDeletionOfZone: actions.includes(DELETION_OF_ZONE),
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
        isDeletionOfZone: times(DELETION_OF_ZONE) > 0,
      },
    ];
  });
}

/** The record change of a history entry. */
export function actionOf(action: HistoryEntry['action']): 'create' | 'update' | 'delete' {
  if (action.endsWith('.create')) return 'create';
  return action.endsWith('.delete') ? 'delete' : 'update';
}

/** A change with the zone that it belongs to. */
export interface FeedChange {
  readonly zone: { readonly id: string; readonly name: string };
  readonly change: PastChange;
}
