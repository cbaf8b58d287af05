import { Injectable } from '@nestjs/common';
import { Background } from '../../background/background.js';
import type { TaskHandle } from '../../background/background-task.js';
import { administrator } from '../../common/caller.js';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { RareWarning } from '../../common/rare-warning.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DomainName } from '../../dns/name.js';
import type { TsigKey } from '../../dns/message/tsig/tsig-key.js';
import { isLaterSerial } from '../../zones/serials/serial.js';
import { SerialRaisingService } from '../../zones/serials/serial-raising.service.js';
import { ZoneCommits } from '../../zones/changes/zone-commits.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { PublishingOptions } from '../publishing.options.js';
import type { NotifiedServer } from '../publishing-readers.js';
import { DnsClient } from './dns-client.js';
import type { Lease } from '../../background/lease.js';
import { Notifier } from './notifier.js';
import { PoolMember } from './pool-member.js';
import { PoolState } from './pool-state.js';
import { PublicationRepository, type WantedZone } from './publication.repository.js';
import { PublicationWriter } from './publication-writer.js';
import { serverLabel } from './server-label.js';

/** From one comparison with the database to the next at least, in milliseconds, and so many times what one takes. */
const COMPARISON_INTERVAL = 500;
const SHARE_OF_OTHERS = 20;
const PAGE_SIZE = 2000;
/** A process without the lease sends a NOTIFY once, and waits so long before the next one, in milliseconds. */
const SINGLE_TIME_LIMIT = 300;
/** A zone's serial is raised once in so long: a server that makes up serials does not make it run away. */
const RAISING_INTERVAL = 60_000;
/** How often it is looked whether servers lag behind, in milliseconds. */
const WATCH_INTERVAL = 1000;
/** How soon what cannot be told yet is tried again, in milliseconds. */
const TELL_AGAIN = 100;
const TROUBLE = { begins: 'Publishing is delayed', ends: 'Publishing works again.' };

/**
 * Tells the name servers of the pool what has changed. Each process sends the NOTIFYs of its own changes at once. The one that
 * has the lease also compares the database with what servers have, repeats what was lost, and asks for proof (ADR 31).
 */
@Injectable()
export class Publisher {
  private readonly client: DnsClient;
  private readonly members: readonly PoolMember[];
  private readonly notifier = new Notifier();
  private lease: Lease | null = null;
  private readonly aheadWarning = new RareWarning();
  private readonly changed = new Set<string>();
  private readonly raisedAt = new Map<string, number>();
  private pool: PoolState | null = null;
  private comparing: TaskHandle | null = null;
  private stopListening: () => void = () => undefined;

  constructor(
    private readonly options: PublishingOptions,
    private readonly commits: ZoneCommits,
    private readonly publications: PublicationRepository,
    private readonly background: Background,
    private readonly catalog: CatalogService,
    private readonly serials: SerialRaisingService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {
    this.client = new DnsClient(() => toUnixSeconds(clock.now()));
    this.members = [
      ...options.servers.map((server) => this.memberOf(server, true)),
      ...options.alsoNotified.map((server) => this.memberOf(server, false)),
    ];
  }

  start(): void {
    if (this.members.length === 0 && !this.catalog.isConfigured) return;
    const lease = this.background.lease('publisher', TROUBLE);
    const writer = new PublicationWriter(this.publications, this.unitOfWork, this.background, lease, TROUBLE);
    this.lease = lease;
    this.comparing = this.background.add({
      name: 'publishing.comparison',
      lease,
      every: (took) => Math.max(COMPARISON_INTERVAL, SHARE_OF_OTHERS * took),
      atStart: true,
      trouble: TROUBLE,
      run: (signal) => (this.pool === null ? this.takeOver(writer, signal) : this.compare(this.pool, signal)),
      end: () => this.end(),
    });
    this.watch(lease);
    const telling = this.background.add({
      name: 'publishing.news',
      // What was changed before it is known who has the lease waits for that.
      every: () => (this.changed.size > 0 ? TELL_AGAIN : Infinity),
      trouble: TROUBLE,
      run: () => this.tell(),
    });
    this.stopListening = this.commits.listen((zoneId) => {
      this.changed.add(zoneId);
      telling.wake();
    });
  }

  /** What goes on while this process knows the state of the pool. */
  private watch(lease: Lease): void {
    this.background.add({
      name: 'publishing.checks',
      lease,
      every: () => this.pool?.checkPause ?? WATCH_INTERVAL,
      run: () => Promise.resolve(this.pool?.checkNext()),
    });
    this.background.add({
      name: 'publishing.lags',
      lease,
      every: WATCH_INTERVAL,
      run: () => Promise.resolve(this.pool?.look()),
    });
  }

  private async end(): Promise<void> {
    this.stopListening();
    for (const member of this.members) member.end();
    await this.client.close();
  }

  /** Reads all that is known, and goes on from there. */
  private async takeOver(writer: PublicationWriter, signal: AbortSignal): Promise<void> {
    const pool = new PoolState(this.members, this.notifier, {
      writer,
      now: () => this.clock.now(),
      isAhead: (zoneId, serial, server) => void this.raise(zoneId, serial, server),
    });
    await this.catalog.reconcileAll();
    const catalog = await this.catalog.current();
    if (catalog !== null) pool.add(catalog, true);
    for await (const zone of this.allZones(signal)) pool.add(zone);
    for (let last = { zoneId: '', server: '' }; ;) {
      const page = await this.publications.page(last.zoneId, last.server, PAGE_SIZE);
      for (const row of page) if (!pool.restore(row)) writer.delete(row);
      const [end] = page.slice(-1);
      if (end === undefined) break;
      last = end;
      await nextTurn();
    }
    if (signal.aborted) {
      pool.end();
      return;
    }
    this.pool = pool;
    signal.addEventListener('abort', () => this.giveUp(pool), { once: true });
    void pool.publishAll();
  }

  private giveUp(pool: PoolState): void {
    pool.end();
    this.pool = null;
  }

  /** Finds what other processes have changed, and what no process has told of before it died. */
  private async compare(pool: PoolState, signal: AbortSignal): Promise<void> {
    const begun = performance.now();
    const made: string[] = [];
    for await (const zone of this.allZones(signal)) {
      if (!pool.has(zone.id)) made.push(zone.id);
      pool.update(zone, true);
    }
    // Zones that were not read are not gone.
    if (signal.aborted) return;
    const gone = new Set(pool.idsNotSeenSince(begun));
    // One that was made meanwhile is in the pool and not in the pages before it.
    const there = gone.size === 0 ? [] : await this.publications.zones([...gone]);
    for (const { id } of there) gone.delete(id);
    for (const id of gone) pool.remove(id);
    await this.catalog.reconcile([...made, ...gone]);
    const catalog = await this.catalog.current();
    if (catalog !== null) pool.update(catalog, true);
  }

  private async *allZones(signal: AbortSignal): AsyncGenerator<WantedZone> {
    for (let marker = ''; !signal.aborted;) {
      const page = await this.publications.pageOfZones(marker, PAGE_SIZE);
      yield* page;
      const last = page.at(-1);
      if (last === undefined) return;
      marker = last.id;
      await nextTurn();
    }
  }

  /** Whether it is known who has the lease, and if it is this process, what there is. */
  private get isReady(): boolean {
    return this.lease?.isKnown === true && (this.pool !== null || !this.lease.isHeld);
  }

  /** What is changed in one turn of the event loop is read together. */
  private async tell(): Promise<void> {
    if (!this.isReady || this.changed.size === 0) return;
    const ids = [...this.changed];
    this.changed.clear();
    const [zones, catalog] = await Promise.all([this.publications.zones(ids), this.changedCatalog(ids)]);
    const told = catalog === null ? zones : [catalog, ...zones];
    if (this.pool === null) this.notifyOnce(told);
    else updatePool(this.pool, told, ids);
  }

  /** The catalog zone, where it follows from the change of these zones. */
  private async changedCatalog(ids: readonly string[]): Promise<WantedZone | null> {
    return (await this.catalog.reconcile(ids)) ? this.catalog.current() : null;
  }

  /** Whoever has the lease sees to the rest. */
  private notifyOnce(zones: readonly WantedZone[]): void {
    for (const { id, name } of zones)
      for (const member of this.members)
        void this.notifier.notify(member, { id, name: DomainName.parse(name) }, SINGLE_TIME_LIMIT);
  }

  /** The database is older than what was handed out, as after a restore: name servers would ignore all that comes. */
  private async raise(zoneId: string, serial: number, server: string): Promise<void> {
    const now = performance.now();
    if (now - (this.raisedAt.get(zoneId) ?? -Infinity) < RAISING_INTERVAL) return;
    this.raisedAt.set(zoneId, now);
    try {
      const [zone] = await this.publications.zones([zoneId]);
      // Another process may have changed it a moment ago.
      if (zone === undefined || !isLaterSerial(serial, zone.serial)) return;
      const isRaised = await this.serials.raiseAbove(zoneId, serial, administrator('publisher', 'publisher'));
      if (isRaised)
        this.aheadWarning.warn(
          `the name server ${server} has serial ${serial} of zone ${zoneId}, later than this database: its serial was` +
            ' raised. After a restore, zonewright check --raise-serials does so for all zones',
        );
    } catch (error) {
      this.fail(error);
    }
  }

  private memberOf(server: NotifiedServer, isAsked: boolean): PoolMember {
    const { address, port, key } = server;
    return new PoolMember(serverLabel(server), isAsked, { address, port, key: this.keyNamed(key) }, this.client);
  }

  private keyNamed(name: string | null): TsigKey | null {
    const key = this.options.keys.find((known) => known.name === name);
    return key === undefined ? null : { ...key, name: DomainName.parse(key.name) };
  }

  private fail(error: unknown): void {
    this.comparing?.fail(error);
  }
}

/** @param ids those of the changed zones: what is not among those that are there was deleted */
function updatePool(pool: PoolState, zones: readonly WantedZone[], ids: readonly string[]): void {
  for (const zone of zones) pool.update(zone, false);
  const there = new Set(zones.map(({ id }) => id));
  for (const id of ids) if (!there.has(id)) pool.remove(id);
}
