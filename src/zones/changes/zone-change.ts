import type { Caller } from '../../common/caller.js';
import { type Instant, toUnixSeconds } from '../../common/clock.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import { type JournalAction, type Step, entryStepOf, type JournalEntry } from '../journal/journal-format.js';
import { isLaterSerial, laterSerial, nextSerial, servedSerial } from '../serials/serial.js';
import { snapshotOf } from '../zone-snapshot.js';
import type { ZoneEntity } from '../zone.entity.js';
import { FollowedAddresses } from './followed-addresses.js';

export interface RecordedStep extends Step {
  readonly action: JournalAction;
}

export type ZoneAmendment = Partial<Pick<ZoneEntity, 'email' | 'ttl' | 'soaTtl' | 'apexNs' | 'keptFields' | 'labels'>>;

type StepWatcher = (steps: readonly RecordedStep[]) => Promise<void>;

/** One change of one zone, in memory. `ZoneChanges` writes it to the database. */
export class ZoneChange {
  readonly id: string;
  readonly addresses = new FollowedAddresses();
  private ownSerial: number;
  private version: number;
  private latest: Instant;
  private weighed = 0;
  private counted: { records: number; recordSets: number };
  private entries: JournalEntry[] = [];
  private watcher: StepWatcher | null = null;
  private unseen: RecordedStep[] = [];
  private amended: ZoneAmendment & Partial<Pick<ZoneEntity, 'updatedAt'>> = {};

  constructor(
    readonly zone: Readonly<ZoneEntity>,
    readonly caller: Caller,
    private readonly now: Instant,
    id = timeOrderedUuid(now),
  ) {
    this.id = id;
    // The primaries of a secondary zone choose its serial.
    this.ownSerial = zone.type === 'SECONDARY' ? zone.serial : nextSerial(servedSerial(zone), toUnixSeconds(now));
    this.version = zone.version;
    this.latest = zone.changedAt;
    this.counted = { records: zone.recordCount, recordSets: zone.recordSetCount };
  }

  /** This change, which has no steps yet, of the zone as it is stored now. */
  on(zone: Readonly<ZoneEntity>): ZoneChange {
    const change = new ZoneChange(zone, this.caller, this.now, this.id);
    change.takeSerialOf(this);
    return change;
  }

  get serial(): number {
    return this.ownSerial;
  }

  /** Takes the serial of the primary. */
  takeSerial(serial: number): void {
    this.ownSerial = serial;
  }

  /** For changes that name servers do not see. */
  keepSerial(): void {
    this.ownSerial = this.zone.serial;
  }

  /** Takes the serial of the change that prepared this one. */
  takeSerialOf({ zone, serial }: ZoneChange): void {
    if (zone.type === 'SECONDARY') this.takeSerial(serial);
    else if (serial === zone.serial) this.keepSerial();
  }

  /** Skips serials that were published before the database was restored. */
  raiseSerial(margin: number): void {
    this.ownSerial = laterSerial(this.ownSerial, margin);
  }

  raiseSerialAbove(serial: number): void {
    if (!isLaterSerial(this.ownSerial, serial)) this.ownSerial = laterSerial(serial, 1);
  }

  /** Later than all earlier changes of the zone, even if the clock went back. */
  nextInstant(): Instant {
    this.latest = Math.max(this.now, this.latest + 1);
    return this.latest;
  }

  get recordCount(): number {
    return this.counted.records;
  }

  get recordSetCount(): number {
    return this.counted.recordSets;
  }

  countRecords(growth: number): void {
    this.counted.records += growth;
  }

  countRecordSets(growth: number): void {
    this.counted.recordSets += growth;
  }

  /** Permanent disk use: one for each step, and one for each 4 KiB of the step. */
  get weight(): number {
    return this.weighed;
  }

  /** Of another zone that this change brings along. */
  addWeight(weight: number): void {
    this.weighed += weight;
  }

  watch(watcher: StepWatcher): void {
    this.watcher = watcher;
  }

  async showSteps(): Promise<void> {
    const steps = this.unseen;
    this.unseen = [];
    await this.watcher?.(steps);
  }

  amend(fields: ZoneAmendment): void {
    const now = { ...this.zone, ...this.amended };
    const changed = Object.entries(fields).filter(([field, value]) => now[field as keyof ZoneAmendment] !== value);
    if (changed.length === 0) return;
    this.amended = { ...this.amended, ...Object.fromEntries(changed), updatedAt: this.nextInstant() };
  }

  /** @param isOnlyChange whether no records change */
  recordAmendment(isOnlyChange: boolean): void {
    const { keptFields: _, updatedAt = null, ...fields } = this.amended;
    if (Object.keys(fields).length === 0) return;
    if (isOnlyChange && Object.keys(fields).every((field) => field === 'labels')) this.keepSerial();
    const before = snapshotOf(this.zone);
    const after = snapshotOf({ ...this.zone, ...fields, serial: this.serial, updatedAt });
    this.record('zone.update', { before, after });
  }

  record(action: JournalAction, step: Step): void {
    const isFirst = this.stepCount === 0;
    this.version += 1;
    if (this.watcher !== null) this.unseen.push({ action, ...step });
    const { tenantId, tokenId, user: userName, address = null, requestId, message = null } = this.caller;
    const written = entryStepOf(step);
    this.weighed += 1 + Math.floor(written.octets / OCTETS_OF_ONE);
    const { formerName, formerOwner } = action === 'zone.delete' ? formerZone(this.zone) : NOT_DELETED;
    // Field by field, as in `recordOf`, because a large change has thousands of entries.
    this.entries.push({
      zoneId: this.zone.id,
      number: this.version,
      serial: this.serial,
      changeId: this.id,
      action,
      recordId: action.startsWith('record.') ? ((step.after ?? step.before)?.id ?? null) : null,
      step: written,
      tenantId,
      tokenId,
      userName,
      address,
      requestId,
      at: this.now,
      formerName,
      formerOwner,
      message: isFirst ? message : null,
    });
  }

  /** Takes the counters, times and steps of a change that was prepared for the same zone. */
  adopt(prepared: ZoneChange): void {
    const { zone, counted } = prepared;
    this.version += prepared.stepCount;
    this.latest = Math.max(this.latest, prepared.latest);
    this.weighed += prepared.weighed;
    this.addresses.addAll(prepared.addresses);
    this.countRecords(counted.records - zone.recordCount);
    this.countRecordSets(counted.recordSets - zone.recordSetCount);
  }

  get stepCount(): number {
    return this.version - this.zone.version;
  }

  get begunAt(): Instant {
    return this.now;
  }

  takeEntries(): JournalEntry[] {
    const taken = this.entries;
    this.entries = [];
    return taken;
  }

  /** The same object if nothing has changed. Only journal entries raise the serial. */
  get zoneAfter(): Readonly<ZoneEntity> {
    const isJournaled = this.version > this.zone.version;
    if (!isJournaled && this.latest === this.zone.changedAt) return this.zone;
    return {
      ...this.zone,
      ...this.amended,
      serial: isJournaled ? this.serial : this.zone.serial,
      version: this.version,
      recordCount: this.counted.records,
      recordSetCount: this.counted.recordSets,
      changedAt: this.latest,
    };
  }
}

const OCTETS_OF_ONE = 4096;

const NOT_DELETED = { formerName: null, formerOwner: null };

/** Finds the journal of a deleted zone. */
function formerZone({ name, tenantId }: Readonly<ZoneEntity>) {
  return { formerName: name.toLowerCase(), formerOwner: tenantId };
}
