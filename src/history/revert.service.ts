import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock, type Instant } from '../common/clock.js';
import { type Labels, labelsColumn, labelsOf } from '../common/labels.js';
import { ServiceError } from '../common/service-error.js';
import { Streams } from '../common/streams.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { DomainName } from '../dns/name.js';
import { ALIAS, RecordTypes } from '../dns/rdata/index.js';
import { OperationsRefused } from '../records/changes/operation-list.js';
import { type ChangeOptions, RecordChanges } from '../records/changes/record-changes.js';
import type { ChangeResult } from '../records/changes/change-request.js';
import type { RecordOperation } from '../records/changes/record-operation.js';
import type { ChangeHook } from '../zones/changes/change-hook.js';
import type { RecordSnapshot, ZoneSnapshot } from '../plugins/change-listener.js';
import type { ZoneAmendment } from '../zones/changes/zone-change.js';
import type { Step } from '../zones/journal/journal-format.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { type RecordDifference, RecordDifferences, differenceOf } from './record-differences.js';
import { because } from '../common/refusal-facts.js';
import { readRecordContent } from '../records/record-content.js';
import type { OperationFault } from '../records/changes/state/change-session.js';

/** Octets of the differences, which all stay in memory: about 100,000 A records. */
const MAX_OCTETS = 2 ** 25;
/** Estimate of the labels of one object. */
const LABEL_OCTETS = 512;
/** Attempts while other changes of the zone come between reading and reverting. */
const ATTEMPTS = 5;

/** All records at a serial, or the records of one change before it. */
export type RevertTarget = { readonly serial: number } | { readonly changeId: string };

/** Reverts records to a former state, as one change (behaviour 11.3). */
@Injectable()
export class RevertService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly differences: RecordDifferences,
    private readonly changes: RecordChanges,
    private readonly types: RecordTypes,
    private readonly reads: Reads,
    private readonly streams: Streams,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws OperationsRefused if current rules refuse former records, with indexes into the differences from now to
   * then.
   * ServiceError `zone_not_found`, `serial_not_found`, `over_quota`, `file_too_large`, `unavailable`
   */
  async revert(
    zoneId: string,
    caller: Caller,
    target: RevertTarget,
    { isDryRun = false, hook = null }: ChangeOptions,
  ): Promise<ChangeResult> {
    const { id } = await this.zones.findOwned(zoneId, caller);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { version, differences, labels } = await this.streams.read(caller.tenantId, () =>
        this.differencesTo(id, target),
      );
      const reversion = reversionOf(differences, this.types, this.clock.now());
      if (reversion.faults.length > 0) throw new OperationsRefused(reversion.faults);
      try {
        return await this.changes.apply(id, caller, [...reversion.operations, ...labels], {
          isDryRun,
          hook: ofVersion(version, hook),
        });
      } catch (error) {
        if (!(error instanceof ZoneHasMoved)) throw inDifferences(error, reversion);
      }
    }
    throw new ServiceError('unavailable', 'The zone keeps changing; try again later.');
  }

  private async differencesTo(zoneId: string, target: RevertTarget): Promise<Found> {
    const differences: RecordDifference[] = [];
    const labels: RecordOperation[] = [];
    let version = 0;
    let octets = 0;
    for await (const part of this.reads.stream((tx) => this.read(tx, zoneId, target))) {
      if (typeof part === 'number') version = part;
      else if ('step' in part) {
        labels.push(...labelOperations(part.step));
        octets += LABEL_OCTETS;
      } else {
        differences.push(part);
        octets += part.octets;
      }
      if (octets > MAX_OCTETS) throw tooMuch();
    }
    return { version, differences, labels };
  }

  private async *read(
    tx: Transaction,
    zoneId: string,
    target: RevertTarget,
  ): AsyncGenerator<number | RecordDifference | { readonly step: Step<ZoneSnapshot> }> {
    const zone = await this.zones.findIn(tx, zoneId);
    if (zone === undefined) throw new ServiceError('zone_not_found', 'The zone has just been deleted.');
    yield zone.version;
    if ('serial' in target) {
      yield* this.differences.between(tx, zone, { serial: zone.serial }, target);
      return;
    }
    yield* this.differences.undoing(tx, zone, target.changeId);
    for await (const step of this.differences.labelSteps(tx, zone, target.changeId)) yield { step };
  }
}

/** Maps the indexes of operations to those of their differences. */
function inDifferences(error: unknown, { indexes }: Reversion): unknown {
  if (!(error instanceof OperationsRefused)) return error;
  return new OperationsRefused(error.faults.map((fault) => ({ ...fault, index: indexes[fault.index] ?? fault.index })));
}

interface Found {
  readonly version: number;
  readonly differences: readonly RecordDifference[];
  readonly labels: readonly RecordOperation[];
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

class ZoneHasMoved extends Error {}

/** Fails if the zone version has changed. Runs under the zone lock, after `hook`. */
function ofVersion(version: number, hook: ChangeHook<ChangeResult> | null): ChangeHook<ChangeResult> {
  return {
    isOurs: true,
    load: (tx, zone) => hook?.load?.(tx, zone) ?? Promise.resolve(),
    admit: (zone) => {
      hook?.admit?.(zone);
      if (zone.version !== version) throw new ZoneHasMoved('the zone has been changed meanwhile');
    },
    write: (tx, outcome) => hook?.write?.(tx, outcome) ?? Promise.resolve(),
  };
}

function tooMuch(): ServiceError {
  return new ServiceError(
    'file_too_large',
    'Too much has changed since to be reverted at once; export the zone with this serial and import it with mode=replace.',
  );
}

interface Reversion {
  readonly operations: readonly RecordOperation[];
  /** Index of the difference of each operation. */
  readonly indexes: readonly number[];
  /** Differences that no operation can revert. */
  readonly faults: readonly OperationFault[];
}

/**
 * One operation per difference from now to then (behaviour 11.3). A deleted record returns under its id, unless it
 * would have expired.
 * Existing records keep their expiry time.
 * @param types types that the service accepts
 */
function reversionOf(
  differences: readonly (RecordDifference & { readonly hasChangedSince?: boolean })[],
  types: RecordTypes,
  now: Instant,
): Reversion {
  const operations: RecordOperation[] = [];
  const indexes: number[] = [];
  const faults: OperationFault[] = [];
  for (const [index, difference] of aliasesFirst(differences)) {
    if (!isToBeMade(difference, now)) continue;
    if (difference.hasChangedSince === true) {
      faults.push({ index, error: changedSince(difference.before ?? difference.after) });
      continue;
    }
    try {
      operations.push(operationOf(difference, types, now));
      indexes.push(index);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      faults.push({ index, error });
    }
  }
  return { operations, indexes, faults };
}

/** The addresses of an ALIAS stay out of the reversion, so the list of operations has to come to the ALIAS first. */
function aliasesFirst<D extends RecordDifference>(differences: readonly D[]): (readonly [number, D])[] {
  const rank = ({ before, after }: D): number => Number((before ?? after).type !== ALIAS.name);
  return [...differences.entries()].sort(([, one], [, other]) => rank(one) - rank(other));
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
