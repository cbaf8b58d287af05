import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../common/waiting/coalescer.js';
import type { ChangeEntry } from '../listeners/change-listener.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { ZoneSnapshot } from '../../zones/journal/journal-format.js';
import { type PublicationNotice, publicationNumber, type PublicationReceiver } from '../publication-notice.js';
import type { EventLogRowEntity } from './event-log-row.entity.js';
import { EventLogRepository } from './event-log.repository.js';
import { EventNotifier } from './event-notifier.js';

/** Events that are written down in one transaction at most. */
const MOST_AT_A_TIME = 2000;

/** Entries of one zone that follow each other, or one publication of it, as one tenant learns of them. */
interface Range {
  readonly tenantId: string;
  readonly zoneId: string;
  readonly firstNumber: number;
  readonly entries: number;
  readonly at: number;
  readonly publication: PublicationNotice | null;
}

interface Waiting {
  readonly ranges: readonly Range[];
  readonly settle: (error?: Error) => void;
}

/** Notes the events of tenants, each once and in the order of its zone, and tells those who wait for them. */
@Injectable()
export class EventLog implements PublicationReceiver {
  private readonly groups = new Coalescer<Waiting>((group) => this.writeGroup(group), { take: takeGroup });

  constructor(
    private readonly log: EventLogRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly news: EventNotifier,
  ) {}

  /**
   * What comes while others are being written is written together. Entries that are there already are left out.
   * @param entries of one zone, in their order
   * @throws ServiceError `unavailable`
   */
  add(entries: readonly ChangeEntry[]): Promise<void> {
    return this.write(rangesOf(entries));
  }

  tell(news: readonly PublicationNotice[]): Promise<void> {
    return this.write(
      news.map((each) => ({
        ...{ tenantId: each.zone.tenantId, zoneId: each.zone.id, firstNumber: publicationNumber(each), entries: 1 },
        ...{ at: each.at, publication: each },
      })),
    );
  }

  private write(ranges: readonly Range[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error): void => (error === undefined ? resolve() : reject(error));
      this.groups.add({ ranges, settle });
    });
  }

  private async writeGroup(group: readonly Waiting[]): Promise<void> {
    const byTenant = new Map<string, Range[]>();
    for (const range of group.flatMap(({ ranges }) => ranges)) {
      const ofTenant = byTenant.get(range.tenantId);
      if (ofTenant === undefined) byTenant.set(range.tenantId, [range]);
      else ofTenant.push(range);
    }
    // Two processes take rows of tenants in the same order, and so do not wait for each other.
    const tenants = [...byTenant.keys()].sort();
    try {
      await this.unitOfWork.run(
        async (tx) => {
          for (const tenantId of tenants) await this.addTo(tx, tenantId, byTenant.get(tenantId) ?? []);
        },
        { queue: 'events' },
      );
    } catch (error) {
      // What a unit of work throws is one.
      for (const { settle } of group) settle(error as Error);
      return;
    }
    for (const { settle } of group) settle();
    for (const tenantId of tenants) this.news.tell(tenantId);
  }

  private async addTo(tx: Transaction, tenantId: string, ranges: readonly Range[]): Promise<void> {
    let position = await this.log.hold(tx, tenantId);
    const latest = new Map<string, number | null>();
    const rows: EventLogRowEntity[] = [];
    let isWhole = true;
    for (const range of ranges) {
      const { zoneId, at, publication } = range;
      if (publication !== null) {
        if (await this.log.has(tx, tenantId, zoneId, range.firstNumber)) continue;
        position += 1;
        rows.push({ ...range, position, publication: JSON.stringify(publication) });
        continue;
      }
      const known = latest.has(zoneId) ? latest.get(zoneId) : await this.log.latestOfZone(tx, tenantId, zoneId);
      const end = range.firstNumber + range.entries - 1;
      const firstNumber = Math.max(range.firstNumber, (known ?? 0) + 1);
      latest.set(zoneId, Math.max(known ?? 0, end));
      if (firstNumber > end) continue;
      // Nobody has told of some: whoever has read up to here must learn that something is missing.
      if (typeof known === 'number' && firstNumber > known + 1) isWhole = false;
      const entries = end - firstNumber + 1;
      position += entries;
      rows.push({ tenantId, position, zoneId, firstNumber, entries, at, publication });
    }
    if (!isWhole) await this.log.clear(tx, tenantId);
    await this.log.add(tx, tenantId, rows);
  }
}

/** As many as one transaction may have, and one at least. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let [count, events] = [0, 0];
  for (const { ranges } of waiting) {
    events += ranges.reduce((sum, { entries }) => sum + entries, 0);
    if (count > 0 && events > MOST_AT_A_TIME) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Consecutive entries together, for each tenant that learns of them. */
function rangesOf(entries: readonly ChangeEntry[]): Range[] {
  const ranges: Range[] = [];
  for (const entry of entries) {
    const { number, at } = entry;
    for (const tenantId of tenantsOf(entry)) {
      const last = ranges.findLastIndex((range) => range.tenantId === tenantId);
      const before = ranges[last];
      if (before !== undefined && before.firstNumber + before.entries === number)
        ranges[last] = { ...before, entries: before.entries + 1, at };
      else ranges.push({ tenantId, zoneId: entry.zone.id, firstNumber: number, entries: 1, at, publication: null });
    }
  }
  return ranges;
}

/** The owner of the zone; who hands one on learns of that as well. */
function tenantsOf({ zone, action, before }: ChangeEntry): ReadonlySet<string> {
  const tenants = new Set([zone.tenantId]);
  if (action !== 'zone.transfer') return tenants;
  // A step of the zone itself has snapshots of the zone.
  const { tenantId } = before as ZoneSnapshot;
  return tenantId === undefined ? tenants : tenants.add(tenantId);
}
