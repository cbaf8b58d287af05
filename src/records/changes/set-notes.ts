import type { Instant } from '../../common/clock.js';
import { descriptionOf, type RecordSetEntity, type SetKey } from '../record-set.entity.js';
import type { RecordEntity } from '../record.entity.js';
import type { ChangeSession } from './state/change-session.js';
import type { SetState } from './state/set-state.js';
import type { ZoneState } from './state/zone-state.js';

/**
 * Keeps the description and expiry of a set while an interface without these fields changes its records (behaviour
 * 13.2, 14.5).
 * Requires all records of the set at the start.
 */
export class SetNotes {
  private readonly row: RecordSetEntity | null;
  private readonly former: readonly RecordEntity[];

  constructor(set: Pick<SetState, 'row' | 'members'> | null) {
    this.row = set?.row ?? null;
    this.former = [...(set?.members.values() ?? [])].sort((one, other) => (one.id < other.id ? -1 : 1));
  }

  /** Expiry of new records, taken from a set that loses all its records; `null`: never. */
  expiry(stays: (record: RecordEntity) => boolean): Instant | null {
    if (this.former.length === 0 || this.former.some(stays)) return null;
    const times = this.former.flatMap(({ expiresAt }) => expiresAt ?? []);
    return times.length === this.former.length ? Math.max(...times) : null;
  }

  /** Moves the shown description to the set row if its record was removed. */
  keepDescription(state: ZoneState, steps: ChangeSession, key: SetKey): void {
    const [oldest] = this.former;
    if (this.row === null || oldest === undefined || this.row.description !== null) return;
    const description = descriptionOf(this.row, this.former);
    const set = state.set(key.ownerKey, key.type);
    if (description === null || !set?.row || set.members.has(oldest.id)) return;
    steps.putSet({ ...set.row, description });
  }
}

/** Clears the description of a set row if records have their own: the set shows that of its oldest record. */
export function forgetDescription(state: ZoneState, steps: ChangeSession, { ownerKey, type }: SetKey): void {
  const row = state.set(ownerKey, type)?.row ?? null;
  if (row !== null && row.description !== null) steps.putSet({ ...row, description: null });
}

/** Expiry of replacement records in a change that runs in portions. */
export class SetExpiries {
  private readonly times = new Map<string, Instant | null>();
  private readonly emptied = new Set<string>();

  note(set: SetKey, notes: SetNotes): void {
    const key = setKeyOf(set);
    if (!this.times.has(key))
      this.times.set(
        key,
        notes.expiry(() => false),
      );
  }

  /** `null` if a record of the set has stayed, or none expires. */
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
