import { Injectable } from '@nestjs/common';
import { allOf } from '../../common/all-of.js';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { groupedBy } from '../../common/grouped.js';
import type { HeldMemory } from '../../common/request-memory.js';
import { PluginUnavailable } from '../../common/plugin-unavailable.js';
import { ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import { type Batch, GROUP_OPERATIONS, type Outcome } from '../../database/unit-of-work.js';
import { RecordTypes } from '../../dns/rdata/index.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import { JournalRepository } from '../../zones/journal/journal.repository.js';
import type { JournalEntry } from '../../zones/journal/journal-entry.js';
import { ZoneChange } from '../../zones/changes/zone-change.js';
import { ZoneChanges } from '../../zones/changes/zone-changes.js';
import { assertHasOwnRecords } from '../../zones/zone-type.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { noSuchZone, ZoneRepository } from '../../zones/zone.repository.js';
import { ChangeLoader, type GuessedLoad } from './change-loader.js';
import { ChangeMemory, mayReadMuch } from './change-memory.js';
import { MOST_OCTETS_WRITTEN, priceOfReads } from './change-octets.js';
import { applyAll, changesNothing } from './operation-list.js';
import type { DeferredOperations } from './deferred-operations.js';
import type { ChangeRequest, ChangeInProgress } from './change-request.js';
import type { ChangeResult, RecordOperation } from './record-operation.js';
import { RecordsOptions } from '../records.options.js';
import type { LoadedState } from './state/state-loader.js';
import { StateWriter } from './state/state-writer.js';
import { dryRunResultOf } from './dry-run-result.js';
import { assertZoneAccess, assertIsOwner, ShareGrants } from './share-grants.js';

export interface ChangeOptions {
  /** Answers as if it were done, and leaves everything as it was. */
  readonly isDryRun?: boolean;
  readonly hook?: ChangeHook<ChangeResult> | null;
  /** The service makes it for itself, and no tenant is to wait for that. */
  readonly isUnlimited?: boolean;
  /** Takes over the memory that the records are held in, to release it; otherwise it is released with the end of the change. */
  readonly keepMemory?: (memory: HeldMemory) => void;
}

/**
 * The way of every change of records: a list of operations on one zone, all of it or nothing, judged by the state that it
 * leads to (behaviour 9). Read it from the top: changes are gathered, what they can touch is loaded, each is judged in memory,
 * and what has become different is written. The unit of work commits, and then each caller gets its answer.
 */
@Injectable()
export class RecordChanges implements Batch<ChangeRequest, ChangeResult> {
  constructor(
    private readonly changes: ZoneChanges,
    private readonly zones: ZoneRepository,
    private readonly grants: ShareGrants,
    private readonly memory: ChangeMemory,
    private readonly loader: ChangeLoader,
    private readonly writer: StateWriter,
    private readonly journal: JournalRepository,
    private readonly types: RecordTypes,
    private readonly options: RecordsOptions,
    private readonly clock: Clock,
  ) {}

  /**
   * @param operations or a plan, where they follow from what the zone has: that is for the owner of the zone
   * @throws OperationsRefused with what is wrong with each operation; ServiceError `zone_not_found`, `record_set_not_found`,
   *   `over_quota`, `file_too_large`, `rate_limited`, `unavailable`, and what `hook` refuses it with
   */
  async apply(
    zoneId: string,
    caller: Caller,
    operations: readonly RecordOperation[] | DeferredOperations,
    { isDryRun = false, hook = null, isUnlimited = false, keepMemory }: ChangeOptions = {},
  ): Promise<ChangeResult> {
    const request = 'scope' in operations ? { plan: operations, operations: [] } : { plan: null, operations };
    const change = { zoneId, caller, ...request, isDryRun, hook, isUnlimited };
    if (!mayReadMuch(change)) return this.gather(change);
    const memory = await this.memory.hold(change);
    keepMemory?.(memory);
    const done = this.gather(change, memory.octets);
    return keepMemory === undefined ? done.finally(() => memory.release()) : done;
  }

  /** Waits for the changes that arrive at the same time, which `run` then does together. */
  private gather(change: Omit<ChangeRequest, 'weigh'>, octets = 0): Promise<ChangeResult> {
    const operations = change.plan?.size ?? change.operations.reduce((sum, one) => sum + sizeOf(one), 0);
    const size = operations + Math.floor((GROUP_OPERATIONS * octets) / MOST_OCTETS_WRITTEN);
    return this.changes.runBatch(change, size, this);
  }

  /** Zone after zone, waiting for each. */
  async run(tx: Transaction, requests: readonly ChangeRequest[]): Promise<Outcome<ChangeResult>[]> {
    const changes = requests.map(undecided);
    for (const [zoneId, ofZone] of groupedBy(changes, ({ request: { zoneId: id } }) => id)) {
      let zone: Readonly<ZoneEntity> | undefined = await this.zones.lockAny(tx, zoneId);
      if (zone === undefined) await this.refuse(tx, ofZone, noSuchZone());
      else for (const round of roundsOf(ofZone)) zone = await this.change(tx, zone, round);
    }
    return changes.map(({ outcome }) => outcome ?? { error: new Error('a change was passed over') });
  }

  /** All zones that nobody else holds, side by side; neither they nor a second round are waited for. */
  async runFree(tx: Transaction, requests: readonly ChangeRequest[]): Promise<(Outcome<ChangeResult> | null)[]> {
    const changes = requests.map(undecided);
    const byZone = groupedBy(changes, ({ request: { zoneId } }) => zoneId);
    const rounds = new Map([...byZone].map(([zoneId, ofZone]) => [zoneId, firstRoundOf(ofZone)]));
    // Sent first, and then what they are guessed to need: that is read when they are held.
    const [zones, guesses] = await allOf([
      this.zones.lockFree(tx, [...byZone.keys()]),
      this.loader.loadAhead(tx, rounds),
    ]);
    await allOf(zones.map((zone) => this.change(tx, zone, rounds.get(zone.id) ?? [], guesses.get(zone.id))));
    return changes.map(({ outcome }) => outcome);
  }

  /** Makes the changes of a round, each on what those before it have left. Returns the zone as they have left it. */
  private async change(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    round: readonly ChangeInProgress[],
    guess?: GuessedLoad,
  ): Promise<Readonly<ZoneEntity>> {
    const loaded = await this.loader.load(tx, zone, round, guess);
    if (loaded instanceof PluginUnavailable) {
      await this.refuse(tx, round, loaded);
      return zone;
    }
    const judged = this.judge(zone, loaded, round);
    await this.write(tx, zone, loaded, judged, round);
    return judged.zone;
  }

  private async refuse(tx: Transaction, changes: readonly ChangeInProgress[], error: ServiceError): Promise<void> {
    for (const change of changes) change.outcome = { error };
    await allOf(changes.map((change) => this.writeHooks(tx, change)));
  }

  /** First whether the caller may, then whether the zone may be so. A refused change leaves no trace. */
  private judge(zone: Readonly<ZoneEntity>, loaded: LoadedState, round: readonly ChangeInProgress[]): Judged {
    let latest = zone;
    const entries: JournalEntry[] = [];
    for (const pending of round) {
      if (pending.outcome !== null) continue;
      const { caller, isDryRun, weigh } = pending.request;
      const read = priceOfReads(loaded.state, pending.request);
      if (read > 0) weigh(1 + read);
      const change = new ZoneChange(latest, caller, this.clock.now());
      try {
        pending.outcome = { value: this.judgeOne(change, loaded, pending) };
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        pending.outcome = { error };
        continue;
      }
      if (isDryRun) continue;
      weigh(change.weight + read);
      latest = change.zoneAfter;
      entries.push(...change.takeEntries());
    }
    return { zone: latest, entries };
  }

  /** @throws ServiceError, and then nothing of it is left in the state */
  private judgeOne(
    change: ZoneChange,
    { state, check }: LoadedState,
    { request, access }: ChangeInProgress,
  ): ChangeResult {
    const { plan, isDryRun, hook } = request;
    if (plan === null) assertZoneAccess(access, request.operations);
    else assertIsOwner(access);
    hook?.admit?.(change.zone);
    const { knownTypes, minTtl } = this.options;
    const rules = { types: this.types, knownTypes, minTtl, check };
    // What is sent back as it was read is fine (behaviour 1.15).
    const isSentBack = (): boolean => plan === null && changesNothing(state, change, request.operations, rules);
    if (change.zone.type === 'SECONDARY' && !isSentBack()) assertHasOwnRecords(change.zone);
    const operations = plan?.operations(state, change.zone) ?? request.operations;
    const done = applyAll(state, change, operations, rules, isDryRun);
    return {
      serial: change.zoneAfter.serial,
      formerSerial: change.zone.serial,
      operations: done,
      isByGrantee: access.role === 'grantee',
      dryRun: isDryRun ? dryRunResultOf(change) : null,
    };
  }

  /** All that has become different, in bulk: records, record sets, journal, the row of the zone. */
  private async write(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    { state }: LoadedState,
    judged: Judged,
    round: readonly ChangeInProgress[],
  ): Promise<void> {
    if (judged.zone.updatedAt !== zone.updatedAt) await this.zones.update(tx, judged.zone);
    await allOf([
      this.writer.write(tx, state),
      this.journal.insertAll(tx, judged.entries),
      judged.zone === zone ? null : this.zones.closeChange(tx, judged.zone),
      ...round.map((change) => this.writeHooks(tx, change)),
    ]);
  }

  /** What one change adds to the outcome. */
  private async writeHooks(tx: Transaction, { request, outcome }: ChangeInProgress): Promise<void> {
    if (outcome === null) return;
    const { zoneId, caller, isDryRun, hook } = request;
    await allOf([
      hook?.write?.(tx, outcome),
      'value' in outcome && outcome.value.isByGrantee && !isDryRun
        ? this.grants.recordSetOwners(tx, zoneId, caller, outcome.value.operations)
        : null,
    ]);
  }
}

/** The outcome of the changes of a round. */
interface Judged {
  readonly zone: Readonly<ZoneEntity>;
  readonly entries: readonly JournalEntry[];
}

function undecided(request: ChangeRequest): ChangeInProgress {
  return { request, access: { role: 'none', ownSetIds: new Set() }, outcome: null };
}

/** In single operations. */
function sizeOf(operation: RecordOperation): number {
  return 'ownerKey' in operation && 'contents' in operation ? 1 + (operation.contents?.length ?? 0) : 1;
}

function firstRoundOf(changes: readonly ChangeInProgress[]): readonly ChangeInProgress[] {
  const [first = []] = roundsOf(changes);
  return first;
}

/** Changes that name the same record go one round after the other: only then is it known what the later one touches. */
function* roundsOf(changes: readonly ChangeInProgress[]): Generator<readonly ChangeInProgress[]> {
  let round: ChangeInProgress[] = [];
  let named = new Set<string>();
  for (const change of changes) {
    const ids = change.request.operations.flatMap((operation) => ('id' in operation ? [operation.id] : []));
    if (ids.some((id) => named.has(id))) {
      yield round;
      round = [];
      named = new Set();
    }
    round.push(change);
    for (const id of ids) named.add(id);
  }
  if (round.length > 0) yield round;
}
