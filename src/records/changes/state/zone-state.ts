import type { Instant } from '../../../common/clock.js';
import { isKeyWithin, keyAbove, keysBelow, keysOnPath } from '../../../dns/name-key.js';
import type { ZoneEntity } from '../../../zones/zone.entity.js';
import type { RecordSetEntity, SetKey } from '../../record-set.entity.js';
import type { RecordEntity } from '../../record.entity.js';
import { SetState } from './set-state.js';

/** What of a zone is hardly ever another, and all that its records are loaded by. */
export type ZonePlace = Readonly<Pick<ZoneEntity, 'id' | 'name' | 'nameKey' | 'tenantId'>>;

/** What makes two records of a zone the same (behaviour 5.5). */
export interface ContentKey extends SetKey {
  readonly fingerprint: string;
}

/** A set and what the change under way does to it. */
export interface TouchedSet {
  readonly set: SetState;
  /** Of its records. */
  readonly countBefore: number;
  readonly wasThere: boolean;
  readonly isThere: boolean;
}

/** What stands below a name: some of it, or all. */
export interface Below {
  readonly sets: readonly SetKey[];
  readonly isAll: boolean;
}

/**
 * As much of a zone as some changes can touch, in memory: what the database has, what was done since, and how to go back to
 * where the change under way began. Rules are judged by it, and it is what is written.
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

  /** @throws NotLoadedError as long as the zone is not held */
  get zone(): Readonly<ZoneEntity> {
    if (this.heldZone === null) throw new NotLoadedError(`the zone ${this.place.name}`);
    return this.heldZone;
  }

  /** The zone as it is, while nobody else can change it. */
  hold(zone: Readonly<ZoneEntity>): void {
    this.heldZone = zone;
  }

  // What the database has.

  knowOwner(ownerKey: string, sets: readonly RecordSetEntity[]): void {
    this.setsByOwner.set(ownerKey, new Map(sets.map((set) => [set.type, new SetState(set)])));
  }

  /** A record whose owner is known. */
  knowRecord(record: RecordEntity): void {
    if (this.recordsById.has(record.id)) return;
    this.storedById.set(record.id, record);
    this.put(record.id, record);
  }

  /** The smallest ttl of the records of a set that are not known one by one, in seconds. */
  knowOtherTtl({ ownerKey, type }: SetKey, ttl: number | null): void {
    const set = this.set(ownerKey, type);
    if (set !== null) set.smallestOtherTtl = ttl;
  }

  /** Notes that all records of a set are loaded, if they are. */
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

  // What there is now.

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

  /** All records with the same content. */
  recordsLike(content: ContentKey): readonly RecordEntity[] {
    const ids = this.idsByContent.get(contentKey(content)) ?? [];
    return ids.map((id) => this.record(id)).filter((record) => record !== null);
  }

  /** Whether a name at or above which nothing of ours may stand has a set of that type. */
  isOccluding(type: string, ownerKey: string): boolean {
    const sets = this.setsByOwner.get(ownerKey);
    if (sets !== undefined) return sets.get(type)?.exists === true;
    const isThere = this.occluding.get(occludingKey(type, ownerKey));
    if (isThere === undefined) throw new NotLoadedError(`${type} at ${ownerKey}`);
    return isThere;
  }

  /** The key of the zone below this one that the name belongs to. */
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

  /** @param at when the record's former set changes, if it leaves it */
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

  /** New times for a record that stays as it was. */
  touch(after: RecordEntity): void {
    this.keep(after.id);
    this.put(after.id, after);
  }

  /** Writes down a set as a whole, with its present number of records; without any, it is kept all the same. */
  putSet(row: RecordSetEntity): void {
    const set = this.setFor(row);
    this.give(set, () => row);
    if (row.recordCount === 0) this.keptEmpty.add(set);
  }

  /** Gives a set that is there another row; one that has nothing to be kept for any more goes with the change. */
  amendSet(row: RecordSetEntity): void {
    const set = this.setFor(row);
    this.give(set, () => row);
    this.keptEmpty.delete(set);
  }

  /** Takes away a set that has no records. */
  dropEmptySet(key: SetKey): void {
    const set = this.setFor(key);
    this.give(set, ({ row }) => row);
    this.keptEmpty.delete(set);
  }

  /** The sets that the change under way has touched. */
  *touchedSets(): Generator<TouchedSet> {
    for (const [set, row] of this.rowsBefore) {
      const isKept = set.isKept || this.keptEmpty.has(set);
      yield { set, countBefore: row?.recordCount ?? 0, wasThere: row !== null, isThere: isKept };
    }
  }

  /** The records that the change under way creates or rewrites. */
  *touchedRecords(): Generator<RecordEntity> {
    for (const id of this.recordsBefore.keys()) {
      const record = this.record(id);
      if (record !== null) yield record;
    }
  }

  /** The records that the change under way deletes. */
  *removedRecords(): Generator<RecordEntity> {
    for (const [id, before] of this.recordsBefore) if (before !== null && this.record(id) === null) yield before;
  }

  /**
   * Ends the change under way: sets that have lost their records are no more, unless they are to be kept.
   * @param serial of the zone after it
   */
  accept(serial: number): void {
    for (const [set, row] of this.rowsBefore)
      if (!set.isKept && !this.keptEmpty.has(set)) set.row = null;
      // It was made by this change, and nobody else has it.
      else if (set.row !== null && set.row !== row) set.row.serial = serial;
    this.forgetBefore();
  }

  /** Goes back to where the change under way began. */
  undo(): void {
    for (const [id, record] of this.recordsBefore) this.put(id, record);
    for (const [set, row] of this.rowsBefore) set.row = row;
    this.forgetBefore();
  }

  // What is to be written.

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

  /** Puts a record where it belongs, and takes it from where it was. */
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

/** What would have to be known of the zone was not asked for: the change is judged anew, by itself. */
class NotLoadedError extends Error {
  constructor(what: string) {
    super(`${what} would have to be loaded`);
  }
}

/** The names above a name, up to the zone's own; none for that. */
export function namesAbove(zone: Pick<ZoneEntity, 'nameKey'>, ownerKey: string): string[] {
  if (ownerKey === zone.nameKey || !isKeyWithin(ownerKey, zone.nameKey)) return [];
  return keysOnPath(zone.nameKey, keyAbove(ownerKey));
}

/** No part of it has a line break. */
export function contentKey({ ownerKey, type, fingerprint }: ContentKey): string {
  return `${ownerKey}\n${type}\n${fingerprint}`;
}

function occludingKey(type: string, ownerKey: string): string {
  return `${type}\n${ownerKey}`;
}
