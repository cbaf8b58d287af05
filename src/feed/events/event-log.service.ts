import { Injectable } from '@nestjs/common';
import { Coalescer } from '../../common/waiting/coalescer.js';
import { type ChangeEntry, ChangeListener, type ZoneSnapshot } from '../../plugins/change-listener.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { type NoticeReceiver, noticeNumber, type ZoneNotice } from '../change-events.js';
import type { EventLogRowEntity } from './event-log.entity.js';
import { EventLogRepository } from './event-log.repository.js';
import { EventNotifier } from './event-notifier.js';

const MOST_AT_A_TIME = 2000;

interface Range extends Omit<EventLogRowEntity, 'position' | 'publication'> {
  readonly notice: ZoneNotice | null;
}

interface Waiting {
  readonly ranges: readonly Range[];
  readonly settle: (error?: Error) => void;
}

/** Writes the event log, each event once and in the order of its zone, and wakes the streams. */
@Injectable()
export class EventLog implements NoticeReceiver {
  private readonly groups = new Coalescer<Waiting>((group) => this.writeGroup(group), { take: takeGroup });

  constructor(
    private readonly log: EventLogRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly news: EventNotifier,
  ) {}

  /** Batches concurrent writes. Skips entries that are already in the log. `entries` belong to one zone, in order. */
  add(entries: readonly ChangeEntry[]): Promise<void> {
    return this.write(rangesOf(entries));
  }

  tell(notices: readonly ZoneNotice[]): Promise<void> {
    return this.write(
      notices.map((notice) => ({
        ...{ tenantId: notice.zone.tenantId, zoneId: notice.zone.id, firstNumber: noticeNumber(notice), entries: 1 },
        ...{ at: notice.at, notice },
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
    // Sorted to avoid deadlocks.
    const tenants = [...byTenant.keys()].sort();
    try {
      await this.unitOfWork.run(
        async (tx) => {
          for (const tenantId of tenants) await this.addTo(tx, tenantId, byTenant.get(tenantId) ?? []);
        },
        { queue: 'events' },
      );
    } catch (error) {
      // A unit of work throws errors only.
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
      const { notice, ...place } = range;
      const { zoneId, at } = place;
      if (notice !== null) {
        if (await this.log.has(tx, tenantId, zoneId, range.firstNumber)) continue;
        position += 1;
        rows.push({ ...place, position, publication: JSON.stringify(notice) });
        continue;
      }
      const known = latest.has(zoneId) ? latest.get(zoneId) : await this.log.latestOfZone(tx, tenantId, zoneId);
      const end = range.firstNumber + range.entries - 1;
      const firstNumber = Math.max(range.firstNumber, (known ?? 0) + 1);
      latest.set(zoneId, Math.max(known ?? 0, end));
      if (firstNumber > end) continue;
      // Some entries are missing. Readers have to learn about the gap.
      if (typeof known === 'number' && firstNumber > known + 1) isWhole = false;
      const entries = end - firstNumber + 1;
      position += entries;
      rows.push({ tenantId, position, zoneId, firstNumber, entries, at, publication: null });
    }
    if (!isWhole) await this.log.clear(tx, tenantId);
    await this.log.add(tx, tenantId, rows);
  }
}

/** Takes up to one transaction of events, but at least one group. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let [count, events] = [0, 0];
  for (const { ranges } of waiting) {
    events += ranges.reduce((sum, { entries }) => sum + entries, 0);
    if (count > 0 && events > MOST_AT_A_TIME) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

function rangesOf(entries: readonly ChangeEntry[]): Range[] {
  const ranges: Range[] = [];
  for (const entry of entries) {
    const { number, at } = entry;
    for (const tenantId of tenantsOf(entry)) {
      const last = ranges.findLastIndex((range) => range.tenantId === tenantId);
      const before = ranges[last];
      if (before !== undefined && before.firstNumber + before.entries === number)
        ranges[last] = { ...before, entries: before.entries + 1, at };
      else ranges.push({ tenantId, zoneId: entry.zone.id, firstNumber: number, entries: 1, at, notice: null });
    }
  }
  return ranges;
}

/** Returns the owner of the zone, and the former owner at an ownership transfer. */
function tenantsOf({ zone, action, before }: ChangeEntry): ReadonlySet<string> {
  const tenants = new Set([zone.tenantId]);
  if (action !== 'zone.transfer') return tenants;
  // Steps of a zone have zone snapshots.
  const { tenantId } = before as ZoneSnapshot;
  return tenantId === undefined ? tenants : tenants.add(tenantId);
}

@Injectable()
export class EventLogListener extends ChangeListener {
  constructor(private readonly log: EventLog) {
    super();
  }

  override receive(entries: readonly ChangeEntry[]): Promise<void> {
    return this.log.add(entries);
  }
}
