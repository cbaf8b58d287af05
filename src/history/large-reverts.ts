import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { groupedBy } from '../common/grouped.js';
import { ServiceError } from '../common/service-error.js';
import { Streams } from '../common/streams.js';
import { GROUP_OPERATIONS } from '../database/unit-of-work.js';
import type { Transaction } from '../database/transaction.js';
import { ALIAS, type RecordTypes } from '../dns/rdata/index.js';
import { assertWritesLittle } from '../records/changes/change-memory.js';
import { type ChangeResult, type DryRunResult, dryRunResultOf } from '../records/changes/change-request.js';
import { InnerOperations } from '../records/changes/inner-operations.js';
import { OperationsRefused } from '../records/changes/operation-list.js';
import type { ChangeOptions } from '../records/changes/record-changes.js';
import type { DoneOperation } from '../records/changes/record-operation.js';
import { occludingTypes } from '../records/changes/placement-rules.js';
import { RecordStaging, type StagedRecords } from '../records/changes/record-staging.js';
import type { RecordEntity } from '../records/record.entity.js';
import { RecordsOptions } from '../records/records.options.js';
import type { ZoneChange } from '../zones/changes/zone-change.js';
import { ZoneChanges } from '../zones/changes/zone-changes.js';
import { ContentsReplacer } from '../zones/staged-imports/contents-replacer.js';
import { StaleSnapshotError } from '../zones/staged-imports/staged-imports.js';
import { assertHasOwnRecords } from '../zones/zone-fields.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { chunksOf } from './history.repository.js';
import { type Reversion, type RevertingOperation, ZoneHasMoved } from './reversions.js';

/** Reverts many records outside the zone lock, in portions, so that other changes need not wait (storage 18.14). */
@Injectable()
export class LargeReverts {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly staging: RecordStaging,
    private readonly inner: InnerOperations,
    private readonly changes: ZoneChanges,
    private readonly replacer: ContentsReplacer,
    private readonly streams: Streams,
    private readonly options: RecordsOptions,
  ) {}

  /**
   * Returns `null` if the operations are few, or have to be one list: a portion may be refused although the list is not.
   * @throws ZoneHasMoved; ServiceError as `RecordChanges.apply`
   */
  async apply(reversion: Reversion, caller: Caller, options: ChangeOptions): Promise<ChangeResult | null> {
    const { zone, operations, labels } = reversion;
    // Changes with labels are small.
    if (operations.length <= GROUP_OPERATIONS || labels.length > 0) return null;
    assertHasOwnRecords(zone);
    const end = this.streams.take(caller.tenantId);
    try {
      const staged = await this.staging.begin(zone, caller);
      return staged && (await this.applyStaged(staged, operations, options).finally(() => staged.close()));
    } catch (error) {
      if (error instanceof StaleSnapshotError || (await this.hasChanged(zone, caller)))
        throw new ZoneHasMoved('the zone has been changed meanwhile');
      if (isRefusal(error)) return null;
      throw error;
    } finally {
      end();
    }
  }

  /** A change of the zone may have caused the error. */
  private async hasChanged({ id, version, changedAt }: Readonly<ZoneEntity>, caller: Caller): Promise<boolean> {
    const now = await this.zones.find(id, caller);
    return now.version !== version || now.changedAt !== changedAt;
  }

  private async applyStaged(
    staged: StagedRecords,
    operations: readonly RevertingOperation[],
    { isDryRun = false, hook = null }: ChangeOptions,
  ): Promise<ChangeResult> {
    const { zone, caller } = staged.change;
    const prepared = await this.prepare(staged, operations, isDryRun);
    if (!isDryRun) await staged.end();
    const store = async (change: ZoneChange, tx: Transaction): Promise<ChangeResult> => {
      await hook?.load?.(tx, change.zone);
      hook?.admit?.(change.zone);
      if (!isDryRun) await this.staging.bringIn(change, tx, staged);
      const { serial } = (isDryRun ? staged.change : change).zoneAfter;
      const result = { serial, formerSerial: change.zone.serial, isByGrantee: false, ...prepared };
      await hook?.write?.(tx, { value: result });
      return result;
    };
    return this.replacer.change(zone.id, caller, store, isDryRun ? undefined : staged);
  }

  private async prepare(
    staged: StagedRecords,
    operations: readonly RevertingOperation[],
    isDryRun: boolean,
  ): Promise<Pick<ChangeResult, 'operations' | 'dryRun'>> {
    const { change } = staged;
    const done = new Map<RevertingOperation, DoneOperation>();
    const differences: DryRunResult['differences'][number][] = [];
    const store = async (tx: Transaction, portion: readonly RevertingOperation[]): Promise<void> => {
      const results = await this.inner.applyAll(
        tx,
        change,
        portion.map(({ operation }) => operation),
      );
      for (const [at, one] of portion.entries()) done.set(one, results[at] ?? NOTHING_DONE);
      if (isDryRun) differences.push(...dryRunResultOf(change).differences);
      else await this.changes.writeSteps(tx, change);
    };
    for (const portion of portionsOf(operations, this.options.knownTypes)) await staged.run((tx) => store(tx, portion));
    const all = operations.map((one) => done.get(one) ?? NOTHING_DONE);
    assertWritesLittle(recordsOf(all, ['create', 'update']), recordsOf(all, ['delete']));
    const { recordCount, recordSetCount } = change;
    return { operations: all, dryRun: isDryRun ? { differences, labels: [], recordCount, recordSetCount } : null };
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof OperationsRefused || (error instanceof ServiceError && error.code === 'over_quota');
}

const NOTHING_DONE: DoneOperation = { action: 'amend set', records: [] };

function* recordsOf(done: readonly DoneOperation[], actions: readonly string[]): Generator<RecordEntity> {
  for (const one of done) if ('record' in one && actions.includes(one.action)) yield one.record;
}

/** Operations on the records of one name, or of several names that the rules judge together. */
interface Group {
  readonly operations: readonly RevertingOperation[];
  readonly octets: number;
  readonly rank: number;
  readonly growth: number;
}

const TIED = '';

/**
 * Portions in such an order that the rules allow each state between them if they allow the last one: names that only
 * lose records come first, and those that gain most come last.
 */
function* portionsOf(
  operations: readonly RevertingOperation[],
  types: RecordTypes,
): Generator<readonly RevertingOperation[]> {
  const tying = new Set([ALIAS, ...occludingTypes(types)].map(({ name }) => name));
  const tied = new Set(operations.flatMap((one) => namesTiedBy(one, tying)));
  const keyOf = (one: RevertingOperation): string => {
    const [name = TIED] = namesOf(one);
    return tied.has(name) ? TIED : name;
  };
  const groups = Array.from(groupedBy(operations, keyOf), ([name, ofName]) => groupOf(name, ofName));
  groups.sort((one, other) => one.rank - other.rank || one.growth - other.growth);
  for (const chunk of chunksOf(groups)) yield chunk.flatMap((group) => group.operations);
}

function groupOf(name: string, operations: readonly RevertingOperation[]): Group {
  const countOf = (action: string): number =>
    operations.filter(({ difference }) => difference.action === action).length;
  const lost = countOf('delete');
  const rank = lost === operations.length ? 0 : name === TIED ? 1 : 2;
  const octets = operations.reduce((sum, { difference }) => sum + difference.octets, 0);
  return { operations, octets, rank, growth: countOf('create') - lost };
}

/** A renamed record ties its names together, and so do types that exclude records of other names or go with them. */
function namesTiedBy(operation: RevertingOperation, tying: ReadonlySet<string>): readonly string[] {
  const { before, after } = operation.difference;
  const names = namesOf(operation);
  return names.length > 1 || tying.has((before ?? after).type) ? names : [];
}

function namesOf({ difference: { before, after } }: RevertingOperation): readonly string[] {
  const name = (before ?? after).name.toLowerCase();
  if (before === null || after === null || before.name === after.name) return [name];
  const other = after.name.toLowerCase();
  return name === other ? [name] : [name, other];
}
