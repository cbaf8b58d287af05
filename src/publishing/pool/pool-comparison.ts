import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { CatalogService } from '../catalog/catalog.service.js';
import type { PoolMember } from './pool-member.js';
import type { PoolSyncState } from './pool-sync-state.js';
import type { LackingZone, PublicationRepository, WantedZone } from './publication.repository.js';
import type { PublicationWriter } from './publication-writer.js';
import { DomainName } from '../../dns/name.js';

/** Minimum time between the starts of two passes, in milliseconds. */
const INTERVAL = 500;
/** The database stays free for this multiple of the time that a portion took. */
export const SHARE_OF_OTHERS = 20;

const AT_A_TIME = 1000;

interface ComparisonMeans {
  readonly publications: PublicationRepository;
  readonly writer: PublicationWriter;
  readonly catalog: CatalogService;
}

/** Finds changes of other processes, of processes that died before their NOTIFY, and zones outside memory. */
export class PoolComparison {
  private marker = '';
  private isFirst = true;
  private readonly missing = new Map<string, number>();
  private readonly inconsistent = new Map<string, number>();
  private readonly fillings = new Map<PoolMember, { marker: string; readonly begunAt: number }>();

  constructor(
    private readonly pool: PoolSyncState,
    private readonly means: ComparisonMeans,
  ) {}

  /** In milliseconds. The first pass runs without extra pauses, to find the backlog of the previous lease holder. */
  pause(took: number): number {
    if (this.isFirst) return took;
    const pause = SHARE_OF_OTHERS * took;
    return this.marker === '' ? Math.max(INTERVAL, pause) : pause;
  }

  async compareNext(): Promise<void> {
    const { publications } = this.means;
    const after = this.marker;
    const { zones, statuses, rows, end } = await publications.chunk(after);
    const upTo = end ?? undefined;
    let known = 0;
    for (const member of this.pool.members) {
      const counts = statuses.get(member.label);
      const current = (member.isAsked ? counts?.current : counts?.told) ?? 0;
      known += counts?.present ?? 0;
      this.inconsistent.set(member.label, (this.inconsistent.get(member.label) ?? 0) + (counts?.inconsistent ?? 0));
      this.missing.set(member.label, (this.missing.get(member.label) ?? 0) + zones - current);
      if (current < zones) await this.add(member, after, upTo);
    }
    if (rows > known) await this.deleteStale(after, upTo);
    await this.compareCatalog(after, upTo);
    if (end === null) await this.endPass();
    else this.marker = end;
  }

  /** Loads more lacking zones into free room. Returns whether it found any. */
  async fillNext(): Promise<boolean> {
    let hasFound = false;
    for (const member of this.pool.members)
      if (this.pool.backlogAt(member).isHungry && (await this.fill(member))) hasFound = true;
    return hasFound;
  }

  private async endPass(): Promise<void> {
    await this.removeGone();
    for (const member of this.pool.members) {
      const { label } = member;
      this.pool.backlogAt(member).count(this.missing.get(label) ?? 0, this.inconsistent.get(label) ?? 0);
    }
    this.missing.clear();
    this.inconsistent.clear();
    this.marker = '';
    this.isFirst = false;
  }

  private async removeGone(): Promise<void> {
    const ids = this.pool.pendingIds;
    for (let at = 0; at < ids.length; at += AT_A_TIME) {
      const some = ids.slice(at, at + AT_A_TIME);
      const there = new Set((await this.means.publications.zones(some)).map(({ id }) => id));
      for (const id of some) if (!there.has(id)) this.pool.remove(id);
      await nextTurn();
    }
  }

  /** A partial backlog is left to `fillNext`. */
  private async add(member: PoolMember, after: string, upTo?: string): Promise<void> {
    const backlog = this.pool.backlogAt(member);
    if (backlog.isPartial) return;
    for (const lacking of await this.means.publications.lacking(member, after, upTo))
      if (!this.take(member, lacking, !this.isFirst)) backlog.leaveOut();
  }

  private async fill(member: PoolMember): Promise<boolean> {
    const filling = this.fillings.get(member) ?? { marker: '', begunAt: performance.now() };
    this.fillings.set(member, filling);
    const end = await this.means.publications.endOfPortion(filling.marker);
    const found = await this.means.publications.lacking(member, filling.marker, end ?? undefined);
    for (const lacking of found) {
      if (!this.take(member, lacking, false)) return true;
      filling.marker = lacking.zone.id;
    }
    if (end === null) {
      this.fillings.delete(member);
      this.pool.backlogAt(member).recordFilled(filling.begunAt);
    } else filling.marker = end;
    return found.length > 0;
  }

  private take(member: PoolMember, { zone, row }: LackingZone, isTold: boolean): boolean {
    return this.pool.fill(member, zone, row === null ? [] : [row], isTold);
  }

  private async deleteStale(after: string, upTo?: string): Promise<void> {
    const labels = this.pool.members.map(({ label }) => label);
    for (const row of await this.means.publications.stale(labels, after, upTo))
      if (row.hasZone === 0) this.pool.remove(row.zoneId);
      else this.means.writer.delete(row);
  }

  private async compareCatalog(after: string, upTo?: string): Promise<void> {
    const { catalog } = this.means;
    await catalog.reconcileWithin(after, upTo);
    const current = await catalog.current();
    if (current !== null) this.pool.update(current, [], true);
  }
}

/** Limit for checks without changes, in messages per second to all servers. */
const CHECKS = 15;
/** Check interval of a zone on each server while the limit allows, in milliseconds. */
const CHECK_INTERVAL = 60_000;
const CHECK_TIME_LIMIT = 2000;
/** Zones per page. Larger numbers do not change the pause. */
const PAGE_SIZE = 1000;

export class PoolChecks {
  private page: WantedZone[] = [];
  private marker = '';
  /** Number of zones, at most `PAGE_SIZE`. */
  private count = 0;
  /** Number of started passes. The first pass runs as fast as allowed. */
  private passes = 0;

  constructor(
    private readonly pool: PoolSyncState,
    private readonly publications: PublicationRepository,
  ) {}

  /** Pause between the checks of two zones, in milliseconds. */
  get pause(): number {
    const shortest = (1000 / CHECKS) * this.pool.members.length;
    return this.passes > 1 ? Math.max(shortest, CHECK_INTERVAL / Math.max(1, this.count)) : shortest;
  }

  /** Restarts the fast first pass: after a failover the database may have fewer changes than the servers. */
  beginAnew(): void {
    this.page = [];
    this.marker = '';
    this.passes = 0;
  }

  async checkNext(failed: (error: unknown) => void): Promise<void> {
    if (this.page.length === 0) await this.turn();
    const zone = this.page.pop();
    if (zone === undefined) return;
    this.check(zone).catch((error: unknown) => {
      // Retries this zone next.
      this.page.push(zone);
      failed(error);
    });
  }

  private async turn(): Promise<void> {
    const page = await this.publications.pageOfZones(this.marker, PAGE_SIZE);
    const isFirst = this.marker === '';
    const last = page.at(-1);
    this.marker = page.length < PAGE_SIZE ? '' : (last?.id ?? '');
    if (isFirst) {
      this.count = page.length;
      this.passes += 1;
    }
    this.page = page.reverse();
  }

  /** The zone may change or disappear during the check. */
  private async check({ id, name }: WantedZone): Promise<void> {
    // Answers before the start of this process are unverified.
    const isFirst = this.passes <= 1;
    const asked = this.pool.members.filter((member) => member.isAsked && !this.pool.isPending(member, id));
    const question = DomainName.parse(name);
    const answers = await Promise.all(
      asked.map(async (member) => ({ member, answer: await member.serialOf(question, CHECK_TIME_LIMIT) })),
    );
    const [[zone], rows] = await Promise.all([this.publications.zones([id]), this.publications.ofZones([id])]);
    if (zone === undefined) return;
    for (const { member, answer } of answers)
      if (this.pool.check(member, zone, rows, answer) && isFirst) this.pool.sample(member, zone);
  }
}
