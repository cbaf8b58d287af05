import type { Instant } from '../../../common/clock.js';
import { isKeyWithin, keyAbove, keysBelow, keysOnPath } from '../../../dns/name-key.js';
import type { ZoneEntity } from '../../../zones/zone.entity.js';
import type { RecordSetEntity, SetKey } from '../../record-set.entity.js';
import type { RecordEntity } from '../../record.entity.js';
import { SetState } from './set-state.js';

/** Fields of a zone that rarely change, enough to load its records. */
export type ZonePlace = Readonly<Pick<ZoneEntity, 'id' | 'name' | 'nameKey' | 'tenantId'>>;

/** Identity of a record within its zone (behaviour 5.5). */
export interface ContentKey extends SetKey {
  readonly fingerprint: string;
}

export interface TouchedSet {
  readonly set: SetState;
  readonly countBefore: number;
  readonly wasThere: boolean;
  readonly isThere: boolean;
  /** The row before the change, and after it. */
  readonly before: RecordSetEntity | null;
  readonly after: RecordSetEntity | null;
}

export interface Below {
  readonly sets: readonly SetKey[];
  readonly isAll: boolean;
}

/**
 * The part of a zone in memory that changes can touch: stored state, later changes, and undo log of the current change.
 * Rules judge it, and `StateWriter` writes it.
 */
export class ZoneState {
  private readonly setsByOwner = new Map<string, Map<string, SetState>>();
  private readonly recordsById = new Map<string, RecordEntity | null>();
  private readonly storedById = new Map<string, RecordEntity>();
  private readonly idsByContent = new Map<string, readonly string[]>();
  private readonly occluding = new Map<string, boolean>();
  private readonly belowOwner = new Map<string, Below>();
  private readonly zonesBelow = new Set<string>();
  private recordsBefore = new Map<string, RecordEntity | null>();
  private rowsBefore = new Map<SetState, RecordSetEntity | null>();
  private keptEmpty = new Set<SetState>();

  private heldZone: Readonly<ZoneEntity> | null = null;

  constructor(readonly place: ZonePlace) {}

  /** @throws NotLoadedError until `hold` sets the locked row */
  get zone(): Readonly<ZoneEntity> {
    if (this.heldZone === null) throw new NotLoadedError(`the zone ${this.place.name}`);
    return this.heldZone;
  }

  hold(zone: Readonly<ZoneEntity>): void {
    this.heldZone = zone;
  }

  // Stored state.

  knowOwner(ownerKey: string, sets: readonly RecordSetEntity[]): void {
    this.setsByOwner.set(ownerKey, new Map(sets.map((set) => [set.type, new SetState(set)])));
  }

  knowRecord(record: RecordEntity): void {
    if (this.recordsById.has(record.id)) return;
    this.storedById.set(record.id, record);
    this.put(record.id, record);
  }

  /** Sets the smallest ttl of the unloaded records of a set, in seconds. */
  knowOtherTtl({ ownerKey, type }: SetKey, ttl: number | null): void {
    const set = this.set(ownerKey, type);
    if (set !== null) set.smallestOtherTtl = ttl;
  }

  knowWhetherWhole({ ownerKey, type }: SetKey): void {
    const set = this.set(ownerKey, type);
    if (set !== null && set.members.size >= set.recordCount) set.smallestOtherTtl = null;
  }

  knowOccluding(type: string, ownerKey: string, isThere: boolean): void {
    this.occluding.set(occludingKey(type, ownerKey), isThere);
  }

  knowBelow(ownerKey: string, below: Below): void {
    this.belowOwner.set(ownerKey, below);
  }

  knowZoneBelow(nameKey: string): void {
    this.zonesBelow.add(nameKey);
  }

  // Current state.

  record(id: string): RecordEntity | null {
    return this.recordsById.get(id) ?? null;
  }

  setsAt(ownerKey: string): ReadonlyMap<string, SetState> {
    const sets = this.setsByOwner.get(ownerKey);
    if (sets === undefined) throw new NotLoadedError(`the record sets at ${ownerKey}`);
    return sets;
  }

  set(ownerKey: string, type: string): SetState | null {
    return this.setsAt(ownerKey).get(type) ?? null;
  }

  /** Loaded owner names that have records of the type. */
  ownersOf(type: string): string[] {
    return [...this.setsByOwner].flatMap(([ownerKey, sets]) => (sets.get(type)?.exists === true ? [ownerKey] : []));
  }

  recordsLike(content: ContentKey): readonly RecordEntity[] {
    const ids = this.idsByContent.get(contentKey(content)) ?? [];
    return ids.map((id) => this.record(id)).filter((record) => record !== null);
  }

  isOccluding(type: string, ownerKey: string): boolean {
    const sets = this.setsByOwner.get(ownerKey);
    if (sets !== undefined) return sets.get(type)?.exists === true;
    const isThere = this.occluding.get(occludingKey(type, ownerKey));
    if (isThere === undefined) throw new NotLoadedError(`${type} at ${ownerKey}`);
    return isThere;
  }

  /** Key of the child zone that contains the name. */
  zoneBelow(ownerKey: string): string | null {
    if (this.zonesBelow.size === 0) return null;
    return keysOnPath(this.place.nameKey, ownerKey).find((key) => this.zonesBelow.has(key)) ?? null;
  }

  hasBelow(ownerKey: string): boolean {
    const stored = this.belowOwner.get(ownerKey);
    if (stored === undefined) throw new NotLoadedError(`what stands below ${ownerKey}`);
    const isLeft = ({ ownerKey: key, type }: SetKey): boolean => this.setsByOwner.get(key)?.get(type)?.exists ?? true;
    if (!stored.isAll || stored.sets.some(isLeft)) return true;
    const [from, to] = keysBelow(ownerKey);
    for (const [key, sets] of this.setsByOwner)
      if (key >= from && key < to && [...sets.values()].some(({ exists }) => exists)) return true;
    return false;
  }

  // Changes.

  insert(record: RecordEntity, at: Instant): void {
    this.keep(record.id);
    this.put(record.id, record);
    this.give(this.setFor(record), (set) => set.joinedBy(record, at));
  }

  remove(record: RecordEntity, at: Instant): void {
    this.keep(record.id);
    this.put(record.id, null);
    this.give(this.setFor(record), (set) => set.leftBy(record, at));
  }

  /** @param at change time of the former set, if the record leaves it */
  replace(before: RecordEntity, after: RecordEntity, at: () => Instant): void {
    this.keep(before.id);
    this.put(before.id, after);
    const now = after.updatedAt ?? after.createdAt;
    if (before.ownerKey === after.ownerKey) {
      this.give(this.setFor(after), (set) => set.changedBy(before, after, now));
      return;
    }
    this.give(this.setFor(before), (set) => set.leftBy(before, at()));
    this.give(this.setFor(after), (set) => set.joinedBy(after, now));
  }

  /** Sets new times of an unchanged record. */
  touch(after: RecordEntity): void {
    this.keep(after.id);
    this.put(after.id, after);
  }

  /** Stores the row of a set with its current record count. An empty set is then kept. */
  putSet(row: RecordSetEntity): void {
    const set = this.setFor(row);
    this.give(set, () => row);
    if (row.recordCount === 0) this.keptEmpty.add(set);
  }

  /** Replaces the row of an existing set. The change removes a set without records and annotations. */
  amendSet(row: RecordSetEntity): void {
    const set = this.setFor(row);
    this.give(set, () => row);
    this.keptEmpty.delete(set);
  }

  dropEmptySet(key: SetKey): void {
    const set = this.setFor(key);
    this.give(set, ({ row }) => row);
    this.keptEmpty.delete(set);
  }

  *touchedSets(): Generator<TouchedSet> {
    for (const [set, row] of this.rowsBefore) {
      const isKept = set.isKept || this.keptEmpty.has(set);
      const rows = { before: row, after: isKept ? set.row : null };
      yield { set, countBefore: row?.recordCount ?? 0, wasThere: row !== null, isThere: isKept, ...rows };
    }
  }

  *touchedRecords(): Generator<RecordEntity> {
    for (const id of this.recordsBefore.keys()) {
      const record = this.record(id);
      if (record !== null) yield record;
    }
  }

  *removedRecords(): Generator<RecordEntity> {
    for (const [id, before] of this.recordsBefore) if (before !== null && this.record(id) === null) yield before;
  }

  /** Ends the current change with the zone serial after it. Removes empty sets that nothing keeps. */
  accept(serial: number): void {
    for (const [set, row] of this.rowsBefore)
      if (!set.isKept && !this.keptEmpty.has(set)) set.row = null;
      // This change created the object, so nothing else shares it.
      else if (set.row !== null && set.row !== row) set.row.serial = serial;
    this.forgetBefore();
  }

  undo(): void {
    for (const [id, record] of this.recordsBefore) this.put(id, record);
    for (const [set, row] of this.rowsBefore) set.row = row;
    this.forgetBefore();
  }

  // Differences to write.

  *changedRecords(): Generator<{ readonly stored: RecordEntity | null; readonly now: RecordEntity | null }> {
    for (const [id, now] of this.recordsById) {
      const stored = this.storedById.get(id) ?? null;
      if (stored !== now) yield { stored, now };
    }
  }

  *changedSets(): Generator<{ readonly stored: RecordSetEntity | null; readonly now: RecordSetEntity | null }> {
    for (const sets of this.setsByOwner.values())
      for (const { stored, row: now } of sets.values()) if (stored !== now) yield { stored, now };
  }

  private forgetBefore(): void {
    this.recordsBefore = new Map();
    this.rowsBefore = new Map();
    this.keptEmpty = new Set();
  }

  private keep(id: string): void {
    if (!this.recordsBefore.has(id)) this.recordsBefore.set(id, this.record(id));
  }

  private give(set: SetState, row: (set: SetState) => RecordSetEntity | null): void {
    if (!this.rowsBefore.has(set)) this.rowsBefore.set(set, set.row);
    set.row = row(set);
  }

  private setFor({ ownerKey, type }: SetKey): SetState {
    const sets = this.setsByOwner.get(ownerKey);
    if (sets === undefined) throw new NotLoadedError(`the record sets at ${ownerKey}`);
    let set = sets.get(type);
    if (set === undefined) {
      set = new SetState(null);
      sets.set(type, set);
    }
    return set;
  }

  private put(id: string, record: RecordEntity | null): void {
    const before = this.record(id);
    if (before !== null) {
      this.setFor(before).members.delete(id);
      const key = contentKey(before);
      const others = this.idsByContent.get(key)?.filter((other) => other !== id) ?? [];
      if (others.length > 0) this.idsByContent.set(key, others);
      else this.idsByContent.delete(key);
    }
    this.recordsById.set(id, record);
    if (record === null) return;
    this.setFor(record).members.set(id, record);
    const key = contentKey(record);
    this.idsByContent.set(key, [...(this.idsByContent.get(key) ?? []), id]);
  }
}

/** The change needs a part of the zone that was not loaded. It is then judged alone. */
class NotLoadedError extends Error {
  constructor(what: string) {
    super(`${what} would have to be loaded`);
  }
}

/** Names above a name, up to and including the apex; empty for the apex. */
export function namesAbove(zone: Pick<ZoneEntity, 'nameKey'>, ownerKey: string): string[] {
  if (ownerKey === zone.nameKey || !isKeyWithin(ownerKey, zone.nameKey)) return [];
  return keysOnPath(zone.nameKey, keyAbove(ownerKey));
}

/** No part has a line break. */
export function contentKey({ ownerKey, type, fingerprint }: ContentKey): string {
  return `${ownerKey}\n${type}\n${fingerprint}`;
}

function occludingKey(type: string, ownerKey: string): string {
  return `${type}\n${ownerKey}`;
}
