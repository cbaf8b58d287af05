import { assertMayChangeRecords, assertMayChangeZone } from '../../../auth/policy.js';
import type { Action } from '../../../common/caller.js';
import { ServiceError } from '../../../common/service-error.js';
import type { Instant } from '../../../common/clock.js';
import { isFollowedBack, type Labels, labelsColumn, labelsOf } from '../../../common/labels.js';
import type { LabeledSet } from '../../../plugins/change-listener.js';
import { snapshotOf as zoneSnapshotOf } from '../../../zones/zone-snapshot.js';
import { timeOrderedUuid } from '../../../common/uuid.js';
import { isWildcardKey } from '../../../dns/name-key.js';
import { ALIAS_ADDRESSES, type RecordTypes } from '../../../dns/rdata/index.js';
import type { JournalAction } from '../../../zones/journal/journal-format.js';
import type { ZoneAmendment, ZoneChange } from '../../../zones/changes/zone-change.js';
import { duplicateError, PLACE_RULES, PLACEMENT_RULES, type Placed } from '../placement-rules.js';
import type { RecordContent } from '../../record-content.js';
import { addressesOfRemoved, aliasFault, followedFaultOf } from '../alias-rules.js';
import type { FormerRecord, RecordOperation } from '../record-operation.js';
import type { RecordSetEntity, SetKey } from '../../record-set.entity.js';
import { type RecordEntity, snapshotOf } from '../../record.entity.js';
import type { GrowthCheck } from '../../record-limits.js';
import type { ZoneState } from './zone-state.js';

export interface OperationFault {
  readonly index: number;
  readonly error: ServiceError;
}

export interface Judging {
  readonly knownTypes: RecordTypes;
  readonly check: GrowthCheck;
}

export type NewSet = Pick<RecordSetEntity, 'ownerKey' | 'type' | 'name' | 'ttl' | 'description'> & {
  readonly annotations?: string | null;
  readonly labels?: Labels | undefined;
};

interface DoneStep {
  readonly index: number;
  readonly before: RecordEntity | null;
  readonly after: RecordEntity | null;
  readonly content: RecordContent | null;
}

/**
 * Creates, updates and deletes records as steps of one zone change. Then judges the resulting state, and writes the
 * steps to the journal or undoes all of them.
 */
export class ChangeSession {
  private readonly steps: DoneStep[] = [];

  constructor(
    private readonly state: ZoneState,
    private readonly change: ZoneChange,
    private readonly judging: Judging,
  ) {}

  get begunAt(): Instant {
    return this.change.begunAt;
  }

  /** TTL of sets without their own, in seconds, after the change. */
  get zoneTtl(): number {
    return this.change.zoneAfter.ttl;
  }

  /**
   * Every operation must call this, even if it only compares a record first (behaviour 14.2).
   * @param action `null` if the set may stay unchanged
   * @throws ServiceError `forbidden` for a caller with other permissions
   */
  assertMay(action: Action | null, set: SetKey): void {
    assertMayChangeRecords(this.change.caller, action, set);
  }

  create(index: number, content: RecordContent, former?: FormerRecord): RecordEntity {
    this.assertMay('create', content);
    const instant = this.change.nextInstant();
    const identity = former === undefined ? newIdentity(instant) : identityAgain(former, instant);
    const after = recordOf({ zoneId: this.state.zone.id, ...identity }, content);
    this.state.insert(after, instant);
    this.steps.push({ index, before: null, after, content });
    return after;
  }

  /**
   * Updates a record. An unchanged record gets a new `updatedAt`, as the version 1 contract asks, but the zone does not
   * change (behaviour 6.2).
   */
  update(index: number, before: RecordEntity, content: RecordContent): RecordEntity {
    this.assertMay('update', before);
    this.assertMay('update', content);
    // A new expiry time counts as a deletion (behaviour 14.5).
    if (content.expiresAt !== null && content.expiresAt !== before.expiresAt) this.assertMay('delete', before);
    const { zoneId, id, version, createdAt } = before;
    if (before.updatedAt !== null && isSame(before, content)) return before;
    const identity = { zoneId, id, version: version + 1, createdAt, updatedAt: this.change.nextInstant() };
    const after = recordOf(identity, content);
    if (isSame(before, after)) this.state.touch(after);
    else {
      this.state.replace(before, after, () => this.change.nextInstant());
      this.steps.push({ index, before, after, content });
    }
    return after;
  }

  remove(index: number, before: RecordEntity): void {
    this.assertMay('delete', before);
    this.state.remove(before, this.change.nextInstant());
    this.steps.push({ index, before, after: null, content: null });
  }

  /** Creates a set without records. It is not served, so the serial does not change. */
  createEmptySet({ ownerKey, type, name, ttl, description, annotations = null, labels = {} }: NewSet): RecordSetEntity {
    this.assertMay('create', { ownerKey, type });
    const { knownTypes } = this.judging;
    const known = knownTypes.byName(type);
    if (known === undefined) throw new Error(`a record set was read whose type ${type} is not known`);
    for (const rule of PLACE_RULES) {
      const error = rule(this.state, { content: { name, ownerKey }, type: known });
      if (error !== null) throw error;
    }
    const createdAt = this.change.nextInstant();
    const identity = { zoneId: this.state.zone.id, ownerKey, type, id: timeOrderedUuid(createdAt), name };
    const counts = { recordCount: 0, octets: 0, serial: null, annotations, labels: labelsColumn(labels) };
    return this.putSet({ ...identity, ttl, description, version: 1, createdAt, updatedAt: null, ...counts });
  }

  keepEmptySet(set: RecordSetEntity, fields: Pick<RecordSetEntity, 'ttl' | 'description' | 'labels'>): RecordSetEntity {
    const { ttl, description, labels } = fields;
    this.assertMay('update', set);
    if (ttl === set.ttl && description === set.description && labels === set.labels) return this.putSet(set);
    return this.putSet({
      ...set,
      ttl,
      description,
      labels,
      version: set.version + 1,
      updatedAt: this.change.nextInstant(),
    });
  }

  /** @param isNews whether nothing else of the set has changed */
  describeSet(set: RecordSetEntity, description: string | null, isNews: boolean): RecordSetEntity {
    this.assertMay('update', set);
    if (set.description === description) return set;
    if (!isNews) return this.putSet({ ...set, description });
    return this.putSet({ ...set, description, version: set.version + 1, updatedAt: this.change.nextInstant() });
  }

  /** @param isNews whether nothing else of the set has changed */
  labelSet(set: RecordSetEntity, labels: string | null, isNews: boolean): RecordSetEntity {
    if (set.labels === labels) return set;
    this.assertMay('update', set);
    const times = isNews ? { version: set.version + 1, updatedAt: this.change.nextInstant() } : {};
    return this.putSet({ ...set, labels, ...times });
  }

  removeEmptySet(key: SetKey): void {
    this.assertMay('delete', key);
    // Forces a write of the zone row, which counts the sets.
    this.change.nextInstant();
    this.state.dropEmptySet(key);
  }

  /** Changes the annotations of a set and, while it is empty, its ttl. */
  annotate(set: RecordSetEntity, fields: Pick<RecordSetEntity, 'ttl' | 'annotations'>): void {
    const annotations = fields.annotations;
    const ttl = set.recordCount > 0 ? set.ttl : fields.ttl;
    const isLeft = set.recordCount > 0 || annotations !== null;
    this.assertMay(isLeft ? 'update' : 'delete', set);
    // Forces a write of the zone row, which counts the sets.
    this.state.amendSet({ ...set, ttl, annotations, version: set.version + 1, updatedAt: this.change.nextInstant() });
  }

  amendZone(fields: ZoneAmendment): void {
    assertMayChangeZone(this.change.caller, 'update', this.change.zone);
    this.change.amend(fields);
  }

  /** The addresses go with their ALIAS, whatever the caller may delete. */
  removeFollowed(operations: readonly RecordOperation[]): void {
    for (const { index, record } of addressesOfRemoved(this.state, this.steps, operations)) {
      this.state.remove(record, this.change.nextInstant());
      this.steps.push({ index, before: record, after: null, content: null });
    }
  }

  /** Changes of addresses that the service sets. */
  followedFaults(): OperationFault[] {
    if (this.isUpkeep) return [];
    return this.steps.flatMap((step) => {
      const error = followedFaultOf(this.state, step);
      return error === null ? [] : [{ index: step.index, error }];
    });
  }

  private get isUpkeep(): boolean {
    return this.change.caller.isUpkeep === true;
  }

  putSet(set: RecordSetEntity): RecordSetEntity {
    this.state.putSet(set);
    return set;
  }

  assertRoomFor(records: number): void {
    const { recordCount, recordSetCount } = this.change;
    this.judging.check({
      zoneRecords: records > 0 ? recordCount + records : null,
      zoneRecordsets: recordSetCount + 1,
      recordsetRecords: records > 0 ? records : null,
    });
  }

  /**
   * Judges every written record by the resulting state, in the order of behaviour 3.4: placement, quotas, duplicates.
   * @returns the faults of all operations, in the order of the steps
   */
  faults(): OperationFault[] {
    // Behaviour 13.11: the primary judges the records of a secondary zone.
    const rules = this.change.zone.type === 'PRIMARY' ? PLACEMENT_RULES : [];
    const misplaced = this.faultsBy((placed) => {
      for (const rule of rules) {
        const error = rule(this.state, placed);
        if (error !== null) return error;
      }
      return null;
    });
    if (!this.isUpkeep && this.change.zone.type === 'PRIMARY') misplaced.push(...this.aliasFaults());
    const repeated = this.faultsBy((placed) => duplicateError(this.state, placed));
    if (misplaced.length > 0) return inOrder([...misplaced, ...repeated]);
    // The quota that the ALIAS has passed must not end the publication of its addresses.
    if (!this.isUpkeep) this.assertGrowthAllowed();
    return repeated;
  }

  accept(): void {
    this.note();
    const { change, state } = this;
    state.accept(change.stepCount > 0 ? change.serial : change.zone.serial);
  }

  note(): void {
    this.change.recordAmendment(this.steps.length === 0 && this.change.stepCount === 0);
    const { records, recordSets } = this.growth();
    this.change.countRecords(records);
    this.change.countRecordSets(recordSets);
    for (const { before, after } of this.steps)
      this.change.record(actionOf(before, after), {
        before: before && snapshotOf(before),
        after: after && snapshotOf(after),
      });
    this.noteLabels();
    this.noteAddresses();
  }

  /** Also those that end with their set, so that undoing its deletion restores them. */
  private noteLabels(): void {
    const { change } = this;
    for (const { set, before, after } of this.state.touchedSets()) {
      const [former, labels] = [before?.labels ?? null, after?.labels ?? null];
      const row = after ?? before;
      if (row === null || former === labels) continue;
      // Behaviour 7.7: labels are not published.
      if (change.stepCount === 0) change.keepSerial();
      const zone = zoneSnapshotOf(change.zoneAfter);
      const { name, type } = set.row ?? row;
      const withLabels = (of: string | null): LabeledSet => ({
        name,
        type,
        labels: labelsOf({ labels: of }),
      });
      change.record('zone.update', {
        before: { ...zone, recordSet: withLabels(former) },
        after: { ...zone, serial: change.serial, recordSet: withLabels(labels) },
      });
    }
  }

  /** Addresses whose PTR records follow: by a label of the zone, or of the set before or after the change. */
  private noteAddresses(): void {
    const { addresses, zone } = this.change;
    const steps = this.steps.filter(({ before, after }) => isAddress(before ?? after));
    if (steps.length === 0 || this.isUpkeep || zone.type !== 'PRIMARY') return;
    const isWhole = isFollowedBack(zone);
    const [former, latest] = [new Set<string>(), new Set<string>()];
    for (const { set, before, after } of this.state.touchedSets()) {
      const { ownerKey = '', type = '' } = set.row ?? before ?? {};
      if (before !== null && isFollowedBack(before)) former.add(`${ownerKey} ${type}`);
      if (after !== null && isFollowedBack(after)) latest.add(`${ownerKey} ${type}`);
    }
    for (const { before, after } of steps) {
      if (before !== null && (isWhole || former.has(`${before.ownerKey} ${before.type}`))) addresses.remove(before);
      if (after !== null && (isWhole || latest.has(`${after.ownerKey} ${after.type}`))) addresses.add(after);
    }
  }

  private aliasFaults(): OperationFault[] {
    return this.steps.flatMap((step) => {
      const error = aliasFault(this.state, this.steps, step);
      return error === null ? [] : [{ index: step.index, error }];
    });
  }

  private faultsBy(judge: (placed: Placed) => ServiceError | null): OperationFault[] {
    const faults: OperationFault[] = [];
    for (const { index, after, content } of this.steps) {
      const error = after && content && judge(this.placedOf(after.id, content));
      if (error !== null) faults.push({ index, error });
    }
    return faults;
  }

  private placedOf(id: string, content: RecordContent): Placed {
    const { knownTypes } = this.judging;
    const type = knownTypes.stored(content.type);
    if (type === undefined) throw new Error(`a record was read whose type ${content.type} is not known`);
    return { id, content, type, knownTypes };
  }

  /** Limits stop growth only: a change may keep or reduce an excess. */
  private assertGrowthAllowed(): void {
    const { change } = this;
    const { records, recordSets } = this.growth();
    const recordCount = change.recordCount + records;
    const recordSetCount = change.recordSetCount + recordSets;
    const zoneRecords = recordCount > change.zone.recordCount ? recordCount : null;
    const zoneRecordsets = recordSetCount > change.zone.recordSetCount ? recordSetCount : null;
    const grown = [...this.state.touchedSets()]
      .filter(({ set, countBefore }) => set.recordCount > countBefore)
      .map(({ set }) => set.recordCount);
    const recordsetRecords = grown.length > 0 ? Math.max(...grown) : null;
    this.judging.check({ zoneRecords, zoneRecordsets, recordsetRecords });
  }

  private growth(): { readonly records: number; readonly recordSets: number } {
    let records = 0;
    for (const { before, after } of this.steps) records += (after === null ? 0 : 1) - (before === null ? 0 : 1);
    let recordSets = 0;
    for (const { wasThere, isThere } of this.state.touchedSets()) recordSets += Number(isThere) - Number(wasThere);
    return { records, recordSets };
  }
}

/** Carries out one change in a state, all or nothing. */
export function atomically<T>(
  state: ZoneState,
  change: ZoneChange,
  judging: Judging,
  work: (steps: ChangeSession) => T,
): T {
  const steps = new ChangeSession(state, change, judging);
  try {
    const result = work(steps);
    const [fault] = steps.faults();
    if (fault !== undefined) throw fault.error;
    steps.accept();
    return result;
  } catch (error) {
    state.undo();
    throw error;
  }
}

function inOrder(faults: readonly OperationFault[]): OperationFault[] {
  const first = new Map<number, OperationFault>();
  for (const fault of faults) if (!first.has(fault.index)) first.set(fault.index, fault);
  return [...first.values()].sort((one, other) => one.index - other.index);
}

function isAddress(record: RecordEntity | null): boolean {
  return record !== null && ALIAS_ADDRESSES.includes(record.type) && !isWildcardKey(record.ownerKey);
}

function actionOf(before: RecordEntity | null, after: RecordEntity | null): JournalAction {
  if (before === null) return 'record.create';
  return after === null ? 'record.delete' : 'record.update';
}

/** Fields that callers can change. Only a difference in these moves the serial. */
const CONTENT_COLUMNS = ['name', 'data', 'priority', 'ttl', 'description', 'expiresAt'] as const;

type ChangedColumns = Pick<RecordEntity, (typeof CONTENT_COLUMNS)[number]>;

function isSame(before: ChangedColumns, after: ChangedColumns): boolean {
  return CONTENT_COLUMNS.every((column) => before[column] === after[column]);
}

function newIdentity(instant: Instant) {
  return { id: timeOrderedUuid(instant), version: 1, createdAt: instant, updatedAt: null };
}

function identityAgain({ id, version, createdAt }: FormerRecord, instant: Instant) {
  return { id, version: version + 1, createdAt, updatedAt: instant };
}

type Identity = Pick<RecordEntity, 'zoneId' | 'id' | 'version' | 'createdAt' | 'updatedAt'>;

/** Lists each field: spreading this number of fields gives a V8 dictionary object, ten times as large. */
function recordOf(identity: Identity, content: RecordContent): RecordEntity {
  const { zoneId, id, version, createdAt, updatedAt } = identity;
  const { name, ownerKey, type, data, priority, ttl, description, fingerprint, expiresAt } = content;
  const rdata = content.rdataHex ?? Buffer.from(content.rdata).toString('hex');
  return {
    zoneId,
    id,
    name,
    ownerKey,
    type,
    data,
    priority,
    ttl,
    description,
    rdata,
    fingerprint,
    version,
    createdAt,
    updatedAt,
    expiresAt,
  };
}
