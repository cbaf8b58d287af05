import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import type { CatalogService } from '../catalog/catalog.service.js';
import type { PoolMember } from './pool-member.js';
import type { PoolSyncState } from './pool-sync-state.js';
import type { LackingZone, PublicationRepository } from './publication.repository.js';
import type { PublicationWriter } from './publication-writer.js';

/** From the beginning of one comparison of all zones to the next at least, in milliseconds. */
const INTERVAL = 500;
/** The database is left to others for so many times what a portion of it took. */
export const SHARE_OF_OTHERS = 20;

/** So many zones are looked for by their ids at a time. */
const AT_A_TIME = 1000;

/** What finds out what servers lack. */
interface ComparisonMeans {
  readonly publications: PublicationRepository;
  readonly writer: PublicationWriter;
  readonly catalog: CatalogService;
}

/** How far everything that a server lacks has been read. */
interface Filling {
  marker: string;
  readonly begunAt: number;
}

/**
 * Compares what zones have with what servers have, portion by portion: it finds what other processes have changed, what nobody
 * has told of before it died, and what found no room in memory.
 */
export class PoolComparison {
  /** The last zone that was compared. */
  private marker = '';
  private isFirst = true;
  private readonly missing = new Map<string, number>();
  private readonly inconsistent = new Map<string, number>();
  private readonly fillings = new Map<PoolMember, Filling>();

  constructor(
    private readonly pool: PoolSyncState,
    private readonly means: ComparisonMeans,
  ) {}

  /** Until the next portion, in milliseconds. What was left behind by whoever had the lease before is found sooner. */
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

  /** Reads more of what a server lacks, where there is room for it. Resolves to whether there was any. */
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

  /** Zones that were deleted elsewhere before anything was known of them. */
  private async removeGone(): Promise<void> {
    const ids = this.pool.pendingIds;
    for (let at = 0; at < ids.length; at += AT_A_TIME) {
      const some = ids.slice(at, at + AT_A_TIME);
      const there = new Set((await this.means.publications.zones(some)).map(({ id }) => id));
      for (const id of some) if (!there.has(id)) this.pool.remove(id);
      await nextTurn();
    }
  }

  /** What is in the database alone already is left to the filling. */
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
