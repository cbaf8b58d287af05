import type { Instant } from '../../common/clock.js';
import { descriptionOf, type RecordSetEntity, type SetKey } from '../record-set.entity.js';
import type { RecordEntity } from '../record.entity.js';
import type { ChangeSession } from './state/change-session.js';
import type { SetState } from './state/set-state.js';
import type { ZoneState } from './state/zone-state.js';

/**
 * Keeps what is said of a set as a whole while its records change through an interface that does not see it (behaviour 13.2,
 * 14.5). All records of the set are known when it begins.
 */
export class SetNotes {
  private readonly row: RecordSetEntity | null;
  private readonly former: readonly RecordEntity[];

  constructor(set: Pick<SetState, 'row' | 'members'> | null) {
    this.row = set?.row ?? null;
    this.former = [...(set?.members.values() ?? [])].sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /**
   * When new records expire: as the set did of which none is left; `null`: never.
   * @param stays whether a record of the set stays
   */
  expiry(stays: (record: RecordEntity) => boolean): Instant | null {
    if (this.former.length === 0 || this.former.some(stays)) return null;
    const times = this.former.flatMap(({ expiresAt }) => expiresAt ?? []);
    return times.length === this.former.length ? Math.max(...times) : null;
  }

  /** Puts the description that the set was shown with into its row where the record that had it is gone. */
  keepDescription(state: ZoneState, steps: ChangeSession, key: SetKey): void {
    const [oldest] = this.former;
    if (this.row === null || oldest === undefined || this.row.description !== null) return;
    const description = descriptionOf(this.row, this.former);
    const set = state.set(key.ownerKey, key.type);
    if (description === null || !set?.row || set.members.has(oldest.id)) return;
    steps.putSet({ ...set.row, description });
  }
}

/** Takes the description out of the row of a set whose records say their own: then it is that of the oldest record. */
export function forgetDescription(state: ZoneState, steps: ChangeSession, { ownerKey, type }: SetKey): void {
  const row = state.set(ownerKey, type)?.row ?? null;
  if (row !== null && row.description !== null) steps.putSet({ ...row, description: null });
}

/** When the records expire that take the place of others in a change that is made portion by portion. */
export class SetExpiries {
  private readonly times = new Map<string, Instant | null>();
  private readonly emptied = new Set<string>();

  /** What the set was before its first record was removed counts. */
  note(set: SetKey, notes: SetNotes): void {
    const key = setKeyOf(set);
    if (!this.times.has(key))
      this.times.set(
        key,
        notes.expiry(() => false),
      );
  }

  /** `null` where a record of the set has stayed, or none expires. */
  of(set: SetKey, state: ZoneState): Instant | null {
    const key = setKeyOf(set);
    const time = this.times.get(key) ?? null;
    if (time === null) return null;
    if (state.set(set.ownerKey, set.type)?.exists !== true) this.emptied.add(key);
    return this.emptied.has(key) ? time : null;
  }
}

/** Neither part has a line break. */
export function setKeyOf({ ownerKey, type }: SetKey): string {
  return `${ownerKey}\n${type}`;
}
