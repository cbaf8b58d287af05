import type { Caller } from '../../common/caller.js';
import { type Instant, toUnixSeconds } from '../../common/clock.js';
import { timeOrderedUuid } from '../../common/uuid.js';
import type { JournalAction, Step } from '../journal/journal-format.js';
import { entryStepOf, type JournalEntry } from '../journal/journal-entry.js';
import { isLaterSerial, laterSerial, nextSerial, servedSerial } from '../serials/serial.js';
import { snapshotOf } from '../zone-snapshot.js';
import type { ZoneEntity } from '../zone.entity.js';

/** A step as it was noted. */
export interface RecordedStep extends Step {
  readonly action: JournalAction;
}

/** What a change of records may change of the zone with them; what is left out stays. */
export type ZoneAmendment = Partial<Pick<ZoneEntity, 'email' | 'ttl' | 'soaTtl' | 'apexNs' | 'keptFields'>>;

type StepWatcher = (steps: readonly RecordedStep[]) => Promise<void>;

/**
 * One change of one zone while it happens, in memory: its serial, its times, its counters and its steps. It knows nothing of
 * the database; what it has gathered is written by `ZoneChanges`.
 */
export class ZoneChange {
  /** All steps of the change carry it in the journal. */
  readonly id: string;
  private ownSerial: number;
  private version: number;
  private latest: Instant;
  private weighed = 0;
  private counted: { records: number; recordSets: number };
  private entries: JournalEntry[] = [];
  private watcher: StepWatcher | null = null;
  private unseen: RecordedStep[] = [];
  private amended: ZoneAmendment & Partial<Pick<ZoneEntity, 'updatedAt'>> = {};

  /** @param zone the zone before the change */
  constructor(
    readonly zone: Readonly<ZoneEntity>,
    readonly caller: Caller,
    private readonly now: Instant,
  ) {
    this.id = timeOrderedUuid(now);
    // The masters of a secondary zone decide about its serial.
    this.ownSerial = zone.type === 'SECONDARY' ? zone.serial : nextSerial(servedSerial(zone), toUnixSeconds(now));
    this.version = zone.version;
    this.latest = zone.changedAt;
    this.counted = { records: zone.recordCount, recordSets: zone.recordSetCount };
  }

  /** The zone's serial once a step of this change is noted. */
  get serial(): number {
    return this.ownSerial;
  }

  /** Takes over serial and SOA of the zone's master. */
  takeSerial(serial: number): void {
    this.ownSerial = serial;
  }

  /** Passes over serials that were handed out and that this database knows nothing of. */
  raiseSerial(margin: number): void {
    this.ownSerial = laterSerial(this.ownSerial, margin);
  }

  /** Passes over a serial that somebody has been seen to have. */
  raiseSerialAbove(serial: number): void {
    if (!isLaterSerial(this.ownSerial, serial)) this.ownSerial = laterSerial(serial, 1);
  }

  /** A time that no earlier change of this zone had, however the clock is set. */
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

  /** How much of the disk the change takes for good: one for each step, and one more for each 4 KiB of the step. */
  get weight(): number {
    return this.weighed;
  }

  /** Has somebody shown the steps that are noted from now on, some at a time. */
  watch(watcher: StepWatcher): void {
    this.watcher = watcher;
  }

  /** Shows the steps that were noted since this was last done, and resolves when they have been seen. */
  async showSteps(): Promise<void> {
    const steps = this.unseen;
    this.unseen = [];
    await this.watcher?.(steps);
  }

  /** Changes fields of the zone; those that have the value already stay as they are. */
  amend(fields: ZoneAmendment): void {
    const now = { ...this.zone, ...this.amended };
    const changed = Object.entries(fields).filter(([field, value]) => now[field as keyof ZoneAmendment] !== value);
    if (changed.length === 0) return;
    this.amended = { ...this.amended, ...Object.fromEntries(changed), updatedAt: this.nextInstant() };
  }

  /** Notes what was changed of the zone, as far as it is part of its history. */
  recordAmendment(): void {
    const { keptFields: _, updatedAt = null, ...fields } = this.amended;
    if (Object.keys(fields).length === 0) return;
    const before = snapshotOf(this.zone);
    const after = snapshotOf({ ...this.zone, ...fields, serial: this.serial, updatedAt });
    this.record('zone.update', { before, after });
  }

  /** Notes one step for the journal, which makes the change one that moves the serial. */
  record(action: JournalAction, step: Step): void {
    const isFirst = this.stepCount === 0;
    this.version += 1;
    if (this.watcher !== null) this.unseen.push({ action, ...step });
    const { tenantId, tokenId, user: userName, address = null, requestId, message = null } = this.caller;
    const written = entryStepOf(step);
    this.weighed += 1 + Math.floor(written.octets / OCTETS_OF_ONE);
    const { formerName, formerOwner } = action === 'zone.delete' ? formerZone(this.zone) : NOT_DELETED;
    // Field by field, as `recordOf` does: a large change has thousands of them.
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

  /** Takes over what was counted, given out and noted in a change that was prepared with the same zone. */
  adopt(prepared: ZoneChange): void {
    const { zone, counted } = prepared;
    this.version += prepared.stepCount;
    this.latest = Math.max(this.latest, prepared.latest);
    this.weighed += prepared.weighed;
    this.countRecords(counted.records - zone.recordCount);
    this.countRecordSets(counted.recordSets - zone.recordSetCount);
  }

  /** How many steps were noted. */
  get stepCount(): number {
    return this.version - this.zone.version;
  }

  /** When it was begun; its steps carry it in the journal. */
  get begunAt(): Instant {
    return this.now;
  }

  /** The steps that were noted since they were last taken. */
  takeEntries(): JournalEntry[] {
    const taken = this.entries;
    this.entries = [];
    return taken;
  }

  /** The zone after the change, the very same object when nothing has happened. The serial moves with the journal only. */
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

/** How the journal of a deleted zone is found. */
function formerZone({ name, tenantId }: Readonly<ZoneEntity>) {
  return { formerName: name.toLowerCase(), formerOwner: tenantId };
}
