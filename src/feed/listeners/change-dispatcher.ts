import { Injectable, Logger } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { HEARTBEAT_INTERVAL } from '../../background/heartbeat.js';
import { Clock, formatInstant, SECOND } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { showFailing } from '../../observability/failing.js';
import { showGauge } from '../../observability/metrics.js';
import { PluginCalls } from '../../plugins/calls/plugin-call.js';
import { LONGEST_HOLD } from '../../zones/journal/history-retention.repository.js';
import { ZoneChangeNotifier } from '../../zones/changes/zone-change-notifier.js';
import { ChangeEntries } from './change-entries.repository.js';
import { CreatedListeners, ListenerBacklog } from './listener-backlog.js';
import { ENTRIES_WAITING, LAG, ZONES_WAITING } from './listener-report.js';
import { ListenerRepository } from './listener.repository.js';
import { ListenerPositionRepository, type ZoneVersionState } from './listener-position.repository.js';
import { PositionWriter } from './position-writer.js';
import { ShardRepository, Shards } from './shards.js';

/** Minimum interval between two scans of all zones in milliseconds, and minimum multiple of their duration. */
const LOOK_INTERVAL = 3000;
const SHORT_LOOK_INTERVAL = 250;
const SHARE_OF_OTHERS = 20;
/** Deleted zones do not change any more, so they are scanned less often. In milliseconds. */
const LOOK_AT_DELETED_INTERVAL = 60_000;
const PAGE_SIZE = 2000;
const FAILURE_MESSAGES = {
  failing: 'Change listeners are delayed',
  recovered: 'Change listeners are up to date again.',
};

/** Delivers changes to listeners (behaviour 19, ADR 49). Regular scans of all zones find missed notifications. */
@Injectable()
export class ChangeDispatcher implements BackgroundService {
  private readonly logger = new Logger('Zonewright');
  private readonly shards: Shards;
  private readonly writer: PositionWriter;
  private readonly backlogs: readonly ListenerBacklog[];
  private readonly entriesWaiting = new Map<string, number>();
  private readonly ends: (() => void)[] = [];
  private comparison: TaskHandle | null = null;
  private lookedAtDeletedAt = -Infinity;
  private hasSeenAll = false;
  private hasToldAbsent = false;

  constructor(
    made: CreatedListeners,
    private readonly listeners: ListenerRepository,
    private readonly positions: ListenerPositionRepository,
    shardRows: ShardRepository,
    entries: ChangeEntries,
    private readonly news: ZoneChangeNotifier,
    private readonly reads: Reads,
    unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    { limits }: PluginCalls,
  ) {
    const onFailure = (error: unknown): void => this.comparison?.fail(error);
    const shards = new Shards(shardRows, onFailure);
    const writer = new PositionWriter({ positions, shardRows, unitOfWork }, shards.holder, FAILURE_MESSAGES);
    this.shards = shards;
    this.writer = writer;
    const means = { entries, positions, writer, reads, clock, shards, deadline: limits.background, onFailure };
    this.backlogs = made.all.map(({ name, listener }) => new ListenerBacklog(name, listener, means));
    for (const backlog of this.backlogs) shards.add(backlog);
  }

  /** Stores start positions for new listeners, which get later changes only. */
  async introduce(): Promise<void> {
    if (this.backlogs.length === 0) return;
    const known = new Set((await this.listeners.all()).map(({ name }) => name));
    await this.see(this.backlogs.filter(({ name }) => !known.has(name)));
  }

  addTasks(scheduler: Scheduler): void {
    if (this.backlogs.length === 0) return;
    this.writer.addTasks(scheduler);
    this.news.start();
    this.ends.push(
      this.news.listen((zoneId) => {
        for (const backlog of this.backlogs) backlog.note(zoneId);
      }),
      ...this.showFigures(),
      showFailing('failing_listeners', () => this.failing()),
    );
    this.comparison = scheduler.add({
      name: 'listeners.comparison',
      every: (took) => this.pauseAfter(took),
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.compare(signal),
      shutdown: () => this.end(),
    });
    scheduler.add({
      name: 'listeners.shards',
      every: HEARTBEAT_INTERVAL,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: () => this.keep(),
    });
  }

  /** Aborts deliveries. Other processes or the next start continue. */
  private async end(): Promise<void> {
    for (const end of this.ends.splice(0)) end();
    await Promise.all(this.backlogs.map((backlog) => backlog.end()));
    await this.writer.flush();
    await this.shards.end();
  }

  private async keep(): Promise<void> {
    if (!this.hasSeenAll) await this.see(this.backlogs);
    this.hasSeenAll = true;
    const failing = this.backlogs.filter(({ isFailing }) => isFailing).map(({ name }) => name);
    const hasTaken = await this.shards.keep(failing);
    if (!this.hasToldAbsent) await this.tellAbsent();
    if (!hasTaken) return;
    // Changes in new shards have waited since the last process died.
    this.lookedAtDeletedAt = -Infinity;
    this.comparison?.trigger();
  }

  private async see(backlogs: readonly ListenerBacklog[]): Promise<void> {
    for (const { name } of backlogs) await this.listeners.see(name, this.clock.now());
  }

  private async tellAbsent(): Promise<void> {
    for (const { name, seenAt } of await this.listeners.all())
      if (!this.shards.listenersOfAll.has(name))
        this.logger.warn(
          `Change listener ${name} is not installed (last seen at ${formatInstant(seenAt)}). Changes are kept for it until` +
            ` ${formatInstant(seenAt + LONGEST_HOLD)}.`,
        );
    this.hasToldAbsent = true;
  }

  private async compare(signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    const withDeleted = begun - this.lookedAtDeletedAt > LOOK_AT_DELETED_INTERVAL;
    for (const backlog of this.backlogs) await this.lookFor(backlog, withDeleted, signal);
    if (withDeleted) this.lookedAtDeletedAt = begun;
  }

  private pauseAfter(took: number): number {
    // Taking shards triggers a comparison.
    if (!this.shards.areHeld) return Infinity;
    // If more zones wait than fit into memory, scan again as soon as possible.
    const isFull = this.backlogs.some(({ hasRoom }) => !hasRoom);
    return isFull ? Math.max(SHORT_LOOK_INTERVAL, took) : Math.max(LOOK_INTERVAL, SHARE_OF_OTHERS * took);
  }

  private async lookFor(backlog: ListenerBacklog, withDeleted: boolean, signal: AbortSignal): Promise<void> {
    const { name } = backlog;
    let waiting = 0;
    const pages: PageOfVersions[] = [(tx, marker) => this.positions.pageOfZones(tx, name, marker, PAGE_SIZE)];
    if (withDeleted) pages.push((tx, marker) => this.positions.pageOfDeleted(tx, name, marker, PAGE_SIZE));
    for (const page of pages)
      for await (const { id, version, number } of this.versions(page, signal)) {
        const position = Math.max(number, backlog.positionOf(id));
        if (version <= position || !this.shards.holds(name, id)) continue;
        waiting += version - position;
        backlog.note(id, version);
      }
    this.entriesWaiting.set(name, waiting);
  }

  private async *versions(pageFrom: PageOfVersions, signal: AbortSignal): AsyncGenerator<ZoneVersionState> {
    for (let marker = ''; !signal.aborted;) {
      const page = await this.reads.run((tx) => pageFrom(tx, marker));
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_SIZE) return;
      marker = last.id;
      await nextTurn();
    }
  }

  private failing(): string[] {
    const here = this.backlogs.filter(({ isFailing }) => isFailing).map(({ name }) => name);
    return [...new Set([...here, ...this.shards.failingInOthers])].sort();
  }

  private showFigures(): (() => void)[] {
    const valuesOf = (read: (backlog: ListenerBacklog) => number) => () =>
      this.backlogs.map((backlog) => ({ labels: { listener: backlog.name }, value: read(backlog) }));
    const lagOf = ({ oldest }: ListenerBacklog): number =>
      oldest === null ? 0 : Math.max(0, this.clock.now() - oldest) / SECOND;
    const zonesOf = valuesOf(({ zonesWaiting }) => zonesWaiting);
    const entriesOf = valuesOf(({ name }) => this.entriesWaiting.get(name) ?? 0);
    return [
      showGauge(LAG, valuesOf(lagOf), 'max'),
      showGauge(ZONES_WAITING, zonesOf),
      showGauge(ENTRIES_WAITING, entriesOf),
    ];
  }
}

type PageOfVersions = (tx: Transaction, marker: string) => Promise<ZoneVersionState[]>;
