import { Injectable } from '@nestjs/common';
import { Clock, type Instant } from '../common/clock.js';
import { type Labels, labelsColumn, labelsOf } from '../common/labels.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import { Streams } from '../common/streams.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { DomainName } from '../dns/name.js';
import { ALIAS, RecordTypes } from '../dns/rdata/index.js';
import type { RecordSnapshot, ZoneSnapshot } from '../plugins/change-listener.js';
import type { RecordOperation } from '../records/changes/record-operation.js';
import type { OperationFault } from '../records/changes/state/change-session.js';
import { readRecordContent } from '../records/record-content.js';
import type { ZoneAmendment } from '../zones/changes/zone-change.js';
import type { Step } from '../zones/journal/journal-format.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { type RecordDifference, RecordDifferences, differenceOf } from './record-differences.js';

/** Octets of the differences, which all stay in memory: about 100,000 A records. */
const MAX_OCTETS = 2 ** 25;
/** Estimate of the labels of one object. */
const LABEL_OCTETS = 512;

/** All records at a serial, or the records of one change before it. */
export type RevertTarget = { readonly serial: number } | { readonly changeId: string };

export interface RevertingOperation {
  /** Index of the difference, from now to then. */
  readonly index: number;
  readonly difference: RecordDifference;
  readonly operation: RecordOperation;
}

export interface Reversion {
  /** As it was compared. */
  readonly zone: Readonly<ZoneEntity>;
  readonly operations: readonly RevertingOperation[];
  readonly labels: readonly RecordOperation[];
  /** Differences that no operation can revert. */
  readonly faults: readonly OperationFault[];
}

/** The zone has changed since it was compared. */
export class ZoneHasMoved extends Error {}

/** Finds the operations that revert records to a former state (behaviour 11.3). */
@Injectable()
export class Reversions {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly differences: RecordDifferences,
    private readonly types: RecordTypes,
    private readonly reads: Reads,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /** @throws ServiceError `zone_not_found`, `serial_not_found`, `file_too_large`, `unavailable` */
  find(zoneId: string, tenantId: string, target: RevertTarget): Promise<Reversion> {
    return this.streams.read(tenantId, () => this.collect(zoneId, target));
  }

  private async collect(zoneId: string, target: RevertTarget): Promise<Reversion> {
    const found = new FoundOperations(this.types, this.clock.now());
    for await (const part of this.reads.stream((tx) => this.read(tx, zoneId, target))) {
      if ('version' in part) found.zone = part;
      else if ('step' in part) found.addLabels(part.step);
      else found.add(part);
      if (found.octets > MAX_OCTETS) throw tooMuch();
    }
    return found.reversion();
  }

  private async *read(
    tx: Transaction,
    zoneId: string,
    target: RevertTarget,
  ): AsyncGenerator<ZoneEntity | FoundDifference | { readonly step: Step<ZoneSnapshot> }> {
    const zone = await this.zones.findIn(tx, zoneId);
    if (zone === undefined) throw new ServiceError('zone_not_found', 'The zone has just been deleted.');
    yield zone;
    if ('serial' in target) {
      yield* this.differences.between(tx, zone, { serial: zone.serial }, target);
      return;
    }
    yield* this.differences.undoing(tx, zone, target.changeId);
    for await (const step of this.differences.labelSteps(tx, zone, target.changeId)) yield { step };
  }
}

type FoundDifference = RecordDifference & { readonly hasChangedSince?: boolean };

/**
 * One operation per difference from now to then (behaviour 11.3). A deleted record returns under its id, unless it
 * would have expired.
 * Existing records keep their expiry time.
 */
class FoundOperations {
  zone: Readonly<ZoneEntity> | null = null;
  octets = 0;
  private count = 0;
  private readonly aliases: RevertingOperation[] = [];
  private readonly others: RevertingOperation[] = [];
  private readonly labels: RecordOperation[] = [];
  private readonly faults: OperationFault[] = [];

  /** @param types types that the service accepts */
  constructor(
    private readonly types: RecordTypes,
    private readonly now: Instant,
  ) {}

  add(difference: FoundDifference): void {
    const index = this.count;
    this.count += 1;
    this.octets += difference.octets;
    const { before, after, hasChangedSince = false } = difference;
    if (!isToBeMade(difference, this.now)) return;
    if (hasChangedSince) {
      this.faults.push({ index, error: changedSince(before ?? after) });
      return;
    }
    try {
      const operation = operationOf(difference, this.types, this.now);
      // The addresses of an ALIAS stay out of the reversion, so the list of operations has to come to the ALIAS first.
      const list = (before ?? after).type === ALIAS.name ? this.aliases : this.others;
      list.push({ index, difference, operation });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.faults.push({ index, error });
    }
  }

  addLabels(step: Step<ZoneSnapshot>): void {
    this.labels.push(...labelOperations(step));
    this.octets += LABEL_OCTETS;
  }

  reversion(): Reversion {
    if (this.zone === null) throw new Error('differences were read without their zone');
    const { zone, aliases, others, labels, faults } = this;
    return { zone, operations: [...aliases, ...others], labels, faults };
  }
}

/** The operations that undo a step of the zone, as far as it changed labels. */
function labelOperations({ before, after }: Step<ZoneSnapshot>): RecordOperation[] {
  if (before === null || after === null) return [];
  const assertSame = (now: Labels, then: Labels, name: string, type: string): void => {
    if (!isSameLabels(now, then)) throw changedSince({ name, type });
  };
  const [former, set] = [before.recordSet, after.recordSet];
  if (former && set) {
    const { name, type } = set;
    const expect = (labels: Labels): void => assertSame(labels, set.labels, name, type);
    return [{ action: 'label set', ownerKey: DomainName.parse(name).key, name, type, labels: former.labels, expect }];
  }
  const [old, labels] = [before.labels ?? {}, after.labels ?? {}];
  if (isSameLabels(old, labels)) return [];
  const amend = (zone: Readonly<ZoneEntity>): ZoneAmendment => {
    assertSame(labelsOf(zone), labels, zone.name, 'labels');
    return { labels: labelsColumn(old) };
  };
  return [{ action: 'amend zone', amend }];
}

function isSameLabels(one: Labels, other: Labels): boolean {
  return labelsColumn(one) === labelsColumn(other);
}

function tooMuch(): ServiceError {
  return new ServiceError(
    'file_too_large',
    'Too much has changed since to be reverted at once; export the zone with this serial and import it with mode=replace.',
  );
}

function changedSince({ name, type }: Pick<RecordSnapshot, 'name' | 'type'>): ServiceError {
  return ServiceError.ofField(
    'precondition_failed',
    '',
    'enum',
    `${name} ${type} has been changed since; undo the later change first, or change it by hand.`,
    because('changed_since', { name, type }),
  );
}

function isToBeMade({ action, before, after }: RecordDifference, now: Instant): boolean {
  if (action === 'delete' || !isOver(after, now)) return true;
  return action === 'update' && differenceOf(before, { ...after, expiresAt: before.expiresAt ?? null }) !== null;
}

function isOver({ expiresAt = null }: { readonly expiresAt?: Instant | null }, now: Instant): boolean {
  return expiresAt !== null && expiresAt <= now;
}

function operationOf(difference: RecordDifference, types: RecordTypes, now: Instant): RecordOperation {
  const leavesFollowed = true;
  const { action, before, after, latestVersion } = difference;
  switch (action) {
    case 'create': {
      const { id, createdAt } = after;
      return {
        action,
        content: readRecordContent(types, after),
        former: { id, createdAt, version: latestVersion },
        leavesFollowed,
      };
    }
    case 'update': {
      const { name, data, priority, ttl, description, expiresAt = null } = after;
      const fields = { name, data, priority, ttl, description };
      return { action, id: before.id, fields: isOver(after, now) ? fields : { ...fields, expiresAt }, leavesFollowed };
    }
    case 'delete':
      return { action, id: before.id, leavesFollowed };
  }
}
