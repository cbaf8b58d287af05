import { forwardRef, Inject, Injectable } from '@nestjs/common';
import { allOf } from '../../common/all-of.js';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import { groupedBy } from '../../common/grouped.js';
import type { HeldMemory } from '../../common/request-memory.js';
import { PluginUnavailable, ServiceError } from '../../common/service-error.js';
import type { Transaction } from '../../database/transaction.js';
import type { Batch, Outcome } from '../../database/unit-of-work.js';
import type { ChangeHook } from '../../zones/changes/change-hook.js';
import { AddressFollower } from '../../zones/changes/address-follower.js';
import { ZoneChange } from '../../zones/changes/zone-change.js';
import { ZoneChanges } from '../../zones/changes/zone-changes.js';
import type { JournalEntry } from '../../zones/journal/journal-format.js';
import { JournalRepository } from '../../zones/journal/journal.repository.js';
import { assertHasOwnRecords } from '../../zones/zone-fields.js';
import type { ZoneEntity } from '../../zones/zone.entity.js';
import { noSuchZone, ZoneRepository } from '../../zones/zone.repository.js';
import { RecordsOptions } from '../records.options.js';
import { ChangeLoader, type GuessedLoad } from './change-loader.js';
import { ChangeMemory, mayReadMuch, priceOfReads, sizeOf } from './change-memory.js';
import { type ChangeInProgress, type ChangeRequest, type ChangeResult, dryRunResultOf } from './change-request.js';
import { applyAll, changesNothing } from './operation-list.js';
import type { DeferredOperations, RecordOperation } from './record-operation.js';
import { assertIsOwner, assertZoneAccess, ShareGrants } from './share-grants.js';
import type { LoadedState } from './state/state-loader.js';
import { StateWriter } from './state/state-writer.js';

export interface ChangeOptions {
  readonly isDryRun?: boolean;
  readonly hook?: ChangeHook<ChangeResult> | null;
  /** Exempts internal changes from the tenant rate limit. */
  readonly isUnlimited?: boolean;
  /** Takes over the memory reserved for the records. Without it, the memory is released after the change. */
  readonly keepMemory?: (memory: HeldMemory) => void;
}

/**
 * Changes the records of one zone by a list of operations, all or nothing, judged by the resulting state (behaviour 9).
 * This file is the sequence of every change:
 * | 1. request: reserve memory, and join concurrent changes
 * 2. lock the zones
 * 3. load everything that the changes can touch
 * 4. judge each change in memory, on the state after earlier changes
 * 5. write the difference; the unit of work commits and returns each result
 */
@Injectable()
export class RecordChanges {
  constructor(
    private readonly zoneChanges: ZoneChanges,
    private readonly memory: ChangeMemory,
    // Declared below, where the sequence continues.
    @Inject(forwardRef(() => RecordChangeGroup)) private readonly group: Batch<ChangeRequest, ChangeResult>,
  ) {}

  /**
   * @param operations a plan if they depend on the content of the zone; only the zone's owner may use one
   * @throws OperationsRefused with the fault of each operation; ServiceError `zone_not_found`, `record_set_not_found`,
   *   `over_quota`, `file_too_large`, `rate_limited`, `unavailable`, and the refusals of `hook`
   */
  async apply(
    zoneId: string,
    caller: Caller,
    operations: readonly RecordOperation[] | DeferredOperations,
    { isDryRun = false, hook = null, isUnlimited = false, keepMemory }: ChangeOptions = {},
  ): Promise<ChangeResult> {
    const what = 'scope' in operations ? { plan: operations, operations: [] } : { plan: null, operations };
    const request = { zoneId, caller, ...what, isDryRun, hook, isUnlimited };
    if (!mayReadMuch(request)) return this.zoneChanges.runBatch(request, sizeOf(request), this.group);
    const memory = await this.memory.hold(request);
    keepMemory?.(memory);
    const result = this.zoneChanges.runBatch(request, sizeOf(request, memory.octets), this.group);
    return keepMemory === undefined ? result.finally(() => memory.release()) : result;
  }
}

@Injectable()
export class RecordChangeGroup implements Batch<ChangeRequest, ChangeResult> {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly loader: ChangeLoader,
    private readonly writer: StateWriter,
    private readonly journal: JournalRepository,
    private readonly grants: ShareGrants,
    private readonly addresses: AddressFollower,
    private readonly options: RecordsOptions,
    private readonly clock: Clock,
  ) {}

  /** Waits for the lock of each zone in turn. */
  async run(tx: Transaction, requests: readonly ChangeRequest[]): Promise<Outcome<ChangeResult>[]> {
    const changes = requests.map(inProgress);
    for (const [zoneId, ofZone] of groupedBy(changes, ({ request }) => request.zoneId)) {
      let zone: Readonly<ZoneEntity> | undefined = await this.zones.lockAny(tx, zoneId);
      if (zone === undefined) await this.refuse(tx, ofZone, noSuchZone());
      else for (const round of roundsOf(ofZone)) zone = await this.changeZone(tx, zone, round);
    }
    await this.follow(tx, changes);
    return changes.map(({ outcome }) => outcome ?? { error: new Error('a change was passed over') });
  }

  /** Processes all unlocked zones in parallel. Locked zones and second rounds return `null`. */
  async runFree(tx: Transaction, requests: readonly ChangeRequest[]): Promise<(Outcome<ChangeResult> | null)[]> {
    const changes = requests.map(inProgress);
    const byZone = groupedBy(changes, ({ request }) => request.zoneId);
    const rounds = new Map([...byZone].map(([zoneId, ofZone]) => [zoneId, firstRoundOf(ofZone)]));
    // The lock statement is sent first, so that the guessed reads see the locked zones.
    const [zones, guesses] = await allOf([
      this.zones.lockFree(tx, [...byZone.keys()]),
      this.loader.loadAhead(tx, rounds),
    ]);
    await allOf(zones.map((zone) => this.changeZone(tx, zone, rounds.get(zone.id) ?? [], guesses.get(zone.id))));
    await this.follow(tx, changes);
    return changes.map(({ outcome }) => outcome);
  }

  private async changeZone(
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
    for (const change of round) await this.planAddresses(tx, change);
    await this.write(tx, zone, loaded, judged, round);
    return judged.zone;
  }

  /** After all zones of the group: two of their changes may have one reverse zone. */
  private async follow(tx: Transaction, all: readonly ChangeInProgress[]): Promise<void> {
    const done = all.filter((one) => !one.request.isDryRun && hasAddresses(one));
    const changes = done.flatMap(({ change }) => change ?? []);
    if (changes.length === 0) return;
    const alsoChanged = await this.addresses.follow(tx, changes);
    for (const one of done) {
      const { outcome, change, request } = one;
      if (outcome === null || 'error' in outcome || change === null) continue;
      request.weigh(change.weight + one.read);
      one.outcome = { value: { ...outcome.value, alsoChanged } };
    }
  }

  private async planAddresses(tx: Transaction, pending: ChangeInProgress): Promise<void> {
    const { outcome, change, request } = pending;
    if (!request.isDryRun || change === null || !hasAddresses(pending) || outcome === null || 'error' in outcome)
      return;
    const { dryRun } = outcome.value;
    if (dryRun === null) return;
    const reverse = await this.addresses.plan(tx, change);
    pending.outcome = { value: { ...outcome.value, dryRun: { ...dryRun, reverse } } };
  }

  private async refuse(tx: Transaction, changes: readonly ChangeInProgress[], error: ServiceError): Promise<void> {
    for (const change of changes) change.outcome = { error };
    await allOf(changes.map((change) => this.writeHook(tx, change)));
  }

  private judge(zone: Readonly<ZoneEntity>, loaded: LoadedState, round: readonly ChangeInProgress[]): JudgedRound {
    let latest = zone;
    const entries: JournalEntry[] = [];
    for (const pending of round) {
      if (pending.outcome !== null) continue;
      const { caller, isDryRun, weigh } = pending.request;
      const read = priceOfReads(loaded.state, pending.request);
      pending.read = read;
      if (read > 0) weigh(1 + read);
      const change = new ZoneChange(latest, caller, this.clock.now());
      pending.change = change;
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

  private judgeOne(
    change: ZoneChange,
    { state, check }: LoadedState,
    { request, access }: ChangeInProgress,
  ): ChangeResult {
    const { plan, isDryRun, hook } = request;
    if (plan === null) assertZoneAccess(access, request.operations);
    else assertIsOwner(access);
    hook?.admit?.(change.zone);
    const { types, knownTypes, minTtl } = this.options;
    const rules = { types, knownTypes, minTtl, check };
    // A secondary zone accepts its own content (behaviour 1.15).
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

  private async write(
    tx: Transaction,
    zone: Readonly<ZoneEntity>,
    { state }: LoadedState,
    judged: JudgedRound,
    round: readonly ChangeInProgress[],
  ): Promise<void> {
    if (judged.zone.updatedAt !== zone.updatedAt) await this.zones.update(tx, judged.zone);
    await allOf([
      this.writer.write(tx, state),
      this.journal.insertAll(tx, judged.entries),
      judged.zone === zone ? null : this.zones.closeChange(tx, zone, judged.zone),
      ...round.map((change) => this.writeHook(tx, change)),
    ]);
  }

  private async writeHook(tx: Transaction, { request, outcome }: ChangeInProgress): Promise<void> {
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

interface JudgedRound {
  readonly zone: Readonly<ZoneEntity>;
  readonly entries: readonly JournalEntry[];
}

function inProgress(request: ChangeRequest): ChangeInProgress {
  return { request, access: { role: 'none', ownSetIds: new Set() }, outcome: null, change: null, read: 0 };
}

function hasAddresses({ change, outcome }: ChangeInProgress): boolean {
  return change?.addresses.isEmpty === false && outcome !== null && 'value' in outcome;
}

function firstRoundOf(changes: readonly ChangeInProgress[]): readonly ChangeInProgress[] {
  const [first = []] = roundsOf(changes);
  return first;
}

/** Changes of the same record go into successive rounds: the first decides the record set that the second touches. */
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
