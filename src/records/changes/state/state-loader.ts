import { Injectable } from '@nestjs/common';
import { allOf } from '../../../common/all-of.js';
import { groupedBy } from '../../../common/grouped.js';
import { ServiceError } from '../../../common/service-error.js';
import type { Transaction } from '../../../database/transaction.js';
import { isKeyWithin, keysOnPath } from '../../../dns/name-key.js';
import { ALIAS, ALIAS_ADDRESSES, RecordTypes } from '../../../dns/rdata/index.js';
import type { ZoneEntity } from '../../../zones/zone.entity.js';
import { ZoneRepository } from '../../../zones/zone.repository.js';
import { mergedContent } from '../merged-content.js';
import { occludingTypes } from '../placement-rules.js';
import type { RecordContent } from '../../record-content.js';
import {
  EMPTY_SCOPE,
  isOnWholeSet,
  type LabelSetOperation,
  type OperationScope,
  type RecordOperation,
} from '../record-operation.js';
import type { SetKey } from '../../record-set.entity.js';
import { RecordSetRepository } from '../../record-set.repository.js';
import type { RecordEntity } from '../../record.entity.js';
import { type GrowthCheck, RecordLimits } from '../../record-limits.js';
import { RecordRepository } from '../../record.repository.js';
import { RecordsOptions } from '../../records.options.js';
import { namesAbove, type ZonePlace, ZoneState } from './zone-state.js';

/** Above this number of names, one query first checks for any match. */
const MANY_NAMES = 100;

export interface Concerned
  extends Pick<OperationScope, 'contents' | 'wholeSets'>, Partial<Pick<OperationScope, 'owners' | 'wholeOwners'>> {
  readonly stored: readonly RecordEntity[];
  /** Selects the records to change or delete among those found with one of the contents. */
  readonly changing?: (state: ZoneState) => readonly RecordEntity[];
}

/** Facts about a zone that hold until the end of its change. Saves an import one query per portion. */
export interface ZoneFacts {
  hasZoneBelow: boolean | null;
  /** Keys of checked names that have no occluding type. */
  readonly notOccluding: Set<string>;
}

export interface LoadedState {
  readonly state: ZoneState;
  readonly check: GrowthCheck;
}

/** Reads the scope of several changes, with one query per kind of data. */
@Injectable()
export class StateLoader {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly records: RecordRepository,
    private readonly recordSets: RecordSetRepository,
    private readonly limits: RecordLimits,
    private readonly types: RecordTypes,
    private readonly options: RecordsOptions,
  ) {}

  /** Requires the zone lock. */
  async forOperations(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    operations: readonly RecordOperation[],
  ): Promise<LoadedState> {
    const loaded = await this.ahead(tx, zone, operations);
    loaded.state.hold(zone);
    return loaded;
  }

  /** Also loads the scopes of plans. The zone must be locked by the time of the reads; `ZoneState.hold` follows. */
  async ahead(
    tx: Transaction,
    zone: ZonePlace,
    operations: readonly RecordOperation[],
    plans: readonly OperationScope[] = [],
  ): Promise<LoadedState> {
    const ids = operations.flatMap((operation) => ('id' in operation ? [operation.id] : []));
    const stored = await this.records.findAll(tx, zone.id, ids);
    const storedById = new Map(stored.map((record) => [record.id, record]));
    const contents = operations.flatMap((operation) => this.contentsOf(operation, storedById));
    const wholeSets = operations.filter(isOnWholeSet);
    const labeled = operations.flatMap((operation) => (operation.action === 'label set' ? [operation.ownerKey] : []));
    const touched = plans.length === 0 ? EMPTY_SCOPE : joined(plans);
    return this.read(tx, zone, {
      ...touched,
      contents: [...contents, ...touched.contents],
      wholeSets: [...wholeSets, ...touched.wholeSets],
      owners: [...labeled, ...touched.owners],
      stored,
    });
  }

  /** Requires the zone lock. */
  async load(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    concerned: Concerned,
    facts: ZoneFacts = noFacts(),
  ): Promise<LoadedState> {
    const loaded = await this.read(tx, zone, concerned, facts);
    loaded.state.hold(zone);
    return loaded;
  }

  private async read(
    tx: Transaction,
    zone: ZonePlace,
    concerned: Concerned,
    facts: ZoneFacts = noFacts(),
  ): Promise<LoadedState> {
    const state = new ZoneState(zone);
    const [check] = await allOf([
      this.limits.checkFor(tx, zone.tenantId),
      this.loadRecords(tx, state, concerned),
      this.loadOccluding(tx, state, concerned, facts),
      this.loadBelow(tx, state, concerned),
      this.loadZonesBelow(tx, state, concerned, facts),
    ]);
    await this.loadRest(tx, state, concerned);
    return { state, check };
  }

  private contentsOf(operation: RecordOperation, stored: ReadonlyMap<string, RecordEntity>): readonly RecordContent[] {
    if (operation.action === 'create') return [operation.content];
    if (operation.action === 'amend zone' || operation.action === 'label set') return [];
    if (isOnWholeSet(operation)) return contentsOfSet(operation);
    const before = stored.get(operation.id);
    if (operation.action === 'delete' || before === undefined) return [];
    try {
      return [mergedContent(this.types, before, operation.fields)];
    } catch (error) {
      // A later check refuses the change for this.
      if (error instanceof ServiceError) return [];
      throw error;
    }
  }

  private async loadRecords(
    tx: Transaction,
    state: ZoneState,
    { contents, stored, wholeSets, owners: ofSets = [], wholeOwners = [] }: Concerned,
  ): Promise<void> {
    const { id } = state.place;
    const named = [...contents, ...stored, ...wholeSets].map(({ ownerKey }) => ownerKey);
    const owners = new Set([...named, ...ofSets, ...wholeOwners]);
    const atOwners = this.recordSets.atOwners(tx, id, [...owners]);
    // In a long list, most sets are new and have no records.
    const present = wholeSets.length > MANY_NAMES ? among(wholeSets, await atOwners) : wholeSets;
    const [sets, alike, whole, all] = await allOf([
      atOwners,
      this.records.findAlike(tx, id, outsideOf(wholeSets, contents)),
      this.records.ofSets(tx, id, present),
      this.records.ofOwners(tx, id, wholeOwners),
    ]);
    const byOwner = groupedBy(sets, ({ ownerKey }) => ownerKey);
    for (const owner of owners) state.knowOwner(owner, byOwner.get(owner) ?? []);
    for (const record of [...stored, ...alike, ...whole, ...all]) state.knowRecord(record);
  }

  private async loadOccluding(
    tx: Transaction,
    state: ZoneState,
    { contents, wholeSets }: Concerned,
    { notOccluding: withoutEnd }: ZoneFacts,
  ): Promise<void> {
    const above = new Set([...contents, ...wholeSets].flatMap(({ ownerKey }) => namesAbove(state.place, ownerKey)));
    const types = occludingTypes(this.options.knownTypes).map(({ name }) => name);
    const unknown = [...above].filter((key) => !withoutEnd.has(key));
    const keys = unknown.flatMap((ownerKey) => types.map((type) => ({ ownerKey, type })));
    const found = await this.recordSets.existing(tx, state.place.id, keys);
    const ends = new Set(found.map(({ ownerKey, type }) => `${ownerKey} ${type}`));
    for (const ownerKey of above)
      for (const type of types) state.knowOccluding(type, ownerKey, ends.has(`${ownerKey} ${type}`));
    const owners = new Set(found.map(({ ownerKey }) => ownerKey));
    for (const key of unknown) if (!owners.has(key)) withoutEnd.add(key);
  }

  /** Loads more sets below than the changes can remove. */
  private async loadBelow(
    tx: Transaction,
    state: ZoneState,
    { contents, stored, wholeSets, wholeOwners = [] }: Concerned,
  ): Promise<void> {
    const ending = new Set(occludingTypes(this.options.knownTypes).map(({ name }) => name));
    const endings = [...contents, ...wholeSets].filter(({ type }) => ending.has(type));
    const owners = [...new Set(endings.map(({ ownerKey }) => ownerKey))];
    if (owners.length === 0) return;
    const { id } = state.place;
    const ofOwners = wholeOwners.length === 0 ? [] : await this.recordSets.atOwners(tx, id, wholeOwners);
    const limit = stored.length + wholeSets.length + ofOwners.length + 1;
    const below = await this.recordSets.below(tx, id, owners, limit);
    owners.forEach((owner, at) => {
      const sets = below[at] ?? [];
      state.knowBelow(owner, { sets, isAll: sets.length < limit });
    });
  }

  private async loadZonesBelow(
    tx: Transaction,
    state: ZoneState,
    { contents, wholeSets, owners = [], wholeOwners = [] }: Concerned,
    facts: ZoneFacts,
  ): Promise<void> {
    const { place: zone } = state;
    if (facts.hasZoneBelow === false) return;
    const named = [...contents, ...wholeSets].map(({ ownerKey }) => ownerKey);
    const names = [...named, ...owners, ...wholeOwners].filter((ownerKey) => isKeyWithin(ownerKey, zone.nameKey));
    // One zone query, which usually finds no zone below.
    if (names.length > MANY_NAMES && !(await this.zones.hasZoneBelow(tx, zone.nameKey))) return;
    const keys = new Set(names.flatMap((ownerKey) => keysOnPath(zone.nameKey, ownerKey).slice(1)));
    for (const { nameKey } of await this.zones.findAmong(tx, [...keys])) state.knowZoneBelow(nameKey);
  }

  /** Loads needs that only the found sets reveal. */
  private async loadRest(tx: Transaction, state: ZoneState, concerned: Concerned): Promise<void> {
    const { contents, stored, changing, wholeOwners = [] } = concerned;
    const wholeSets = [...concerned.wholeSets, ...wholeOwners.flatMap((ownerKey) => setsAt(state, ownerKey))];
    const leaving = [...stored, ...(changing?.(state) ?? [])];
    const inUnknownCompany = uniqueSets(leaving.filter((record) => mayHaveItsTtlAlone(state, record)));
    const followed = state
      .ownersOf(ALIAS.name)
      .flatMap((ownerKey) => ALIAS_ADDRESSES.map((type) => ({ ownerKey, type })));
    const alone = uniqueSets(contents.filter(({ ownerKey, type }) => this.mayBeExclusive(state, ownerKey, type)));
    for (const set of uniqueSets([...leaving, ...wholeSets])) state.knowWhetherWhole(set);
    const { id } = state.place;
    const [ttls, records] = await allOf([
      this.records.ttlsOf(tx, id, inUnknownCompany),
      this.records.ofSets(tx, id, uniqueSets([...alone, ...followed])),
    ]);
    for (const record of records) state.knowRecord(record);
    for (const set of followed) state.knowWhetherWhole(set);
    const bySet = groupedBy(ttls, ({ ownerKey, type }) => `${ownerKey} ${type}`);
    for (const { ownerKey, type } of inUnknownCompany) {
      const others = (bySet.get(`${ownerKey} ${type}`) ?? []).filter(({ id: other }) => state.record(other) === null);
      state.knowOtherTtl({ ownerKey, type }, others.length > 0 ? Math.min(...others.map(({ ttl }) => ttl)) : null);
    }
  }

  /** An exclusive value can only be in a set of one record. */
  private mayBeExclusive(state: ZoneState, ownerKey: string, type: string): boolean {
    const set = state.set(ownerKey, type);
    const hasExclusive = this.options.knownTypes.byName(type)?.placement.exclusive !== undefined;
    return hasExclusive && set?.stored?.recordCount === 1 && set.members.size === 0;
  }
}

function contentsOfSet(
  operation: Exclude<Extract<RecordOperation, SetKey>, LabelSetOperation>,
): readonly RecordContent[] {
  const { contents = [] } = 'contents' in operation ? operation : {};
  return operation.action === 'amend set'
    ? [...contents, ...(operation.added ?? []).map(({ content }) => content)]
    : contents;
}

/** Whether this record may be the only one of its set with this ttl, while other records are not loaded. */
function mayHaveItsTtlAlone(state: ZoneState, { ownerKey, type, ttl }: RecordEntity): boolean {
  const set = state.set(ownerKey, type);
  return ttl !== null && set?.stored?.ttl === ttl && set.members.size < set.stored.recordCount;
}

function outsideOf(wholeSets: readonly SetKey[], contents: readonly RecordContent[]): readonly RecordContent[] {
  if (wholeSets.length === 0) return contents;
  const whole = new Set(wholeSets.map(({ ownerKey, type }) => `${ownerKey} ${type}`));
  return contents.filter(({ ownerKey, type }) => !whole.has(`${ownerKey} ${type}`));
}

function among(sets: readonly SetKey[], there: readonly SetKey[]): readonly SetKey[] {
  const keys = new Set(there.map(({ ownerKey, type }) => `${ownerKey} ${type}`));
  return sets.filter(({ ownerKey, type }) => keys.has(`${ownerKey} ${type}`));
}

function setsAt(state: ZoneState, ownerKey: string): SetKey[] {
  return [...state.setsAt(ownerKey).keys()].map((type) => ({ ownerKey, type }));
}

function joined(touches: readonly OperationScope[]): OperationScope {
  return {
    contents: touches.flatMap(({ contents }) => contents),
    wholeSets: touches.flatMap(({ wholeSets }) => wholeSets),
    owners: touches.flatMap(({ owners }) => owners),
    wholeOwners: touches.flatMap(({ wholeOwners }) => wholeOwners),
  };
}

function noFacts(): ZoneFacts {
  return { hasZoneBelow: null, notOccluding: new Set() };
}

function uniqueSets(sets: readonly SetKey[]): SetKey[] {
  return [...new Map(sets.map(({ ownerKey, type }) => [`${ownerKey} ${type}`, { ownerKey, type }])).values()];
}
