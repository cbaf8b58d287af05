import { DomainName } from '../../dns/name.js';
import type { PoolSyncState } from './pool-sync-state.js';
import type { PublicationRepository, WantedZone } from './publication.repository.js';

/** What checks may cost when nothing changes, in messages to all servers a second. */
const CHECKS = 15;
/** How often a zone is checked on each server where that costs less, in milliseconds. */
const CHECK_INTERVAL = 60_000;
const CHECK_TIME_LIMIT = 2000;
/** So many zones are read at a time. Where there are more, their number makes no difference. */
const PAGE_SIZE = 1000;

/** Asks servers now and then for the serials of zones that they should have. */
export class PoolChecks {
  private page: WantedZone[] = [];
  private marker = '';
  /** Of the zones as far as they matter. */
  private count = 0;
  /** How many passes over all zones have begun: the first is made as soon as that may be. */
  private passes = 0;

  constructor(
    private readonly pool: PoolSyncState,
    private readonly publications: PublicationRepository,
  ) {}

  /** From the check of one zone to that of the next, in milliseconds. */
  get pause(): number {
    const shortest = (1000 / CHECKS) * this.pool.members.length;
    return this.passes > 1 ? Math.max(shortest, CHECK_INTERVAL / Math.max(1, this.count)) : shortest;
  }

  /** Checks all zones as soon as that may be: what the database says now may be less than servers were given before. */
  beginAnew(): void {
    this.page = [];
    this.marker = '';
    this.passes = 0;
  }

  /** Asks all servers for the serial of the zone whose turn it is; `failed` is told if nothing comes of it. */
  async checkNext(failed: (error: unknown) => void): Promise<void> {
    if (this.page.length === 0) await this.turn();
    const zone = this.page.pop();
    if (zone === undefined) return;
    this.check(zone).catch((error: unknown) => {
      // It is the next one again.
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

  /** The zone may have changed or gone since it was read, and while it was asked for. */
  private async check({ id, name }: WantedZone): Promise<void> {
    // What servers answered before this process began was never looked at.
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
