import { Injectable } from '@nestjs/common';
import { maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Instant } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import { DomainName } from '../dns/name.js';
import { readStep, type Step } from '../zones/journal/journal-format.js';
import type { RecordSnapshot } from '../plugins/change-listener.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { ZonesService } from '../zones/zones.service.js';
import {
  type DeletedZone,
  type FormerZone,
  HistoryRepository,
  isUpkeep,
  type JournalRow,
  type NumberRange,
} from './history.repository.js';
import { HistoryPoints } from './history-points.js';

export interface HistoryRequest {
  /** Owner name in lower case of the changed record; `null`: any. */
  readonly name: string | null;
  readonly type: string | null;
  /** Inclusive; `null`: no limit. */
  readonly since: Instant | null;
  readonly marker: number | null;
  readonly limit: number;
}

export type HistoryEntry = Omit<JournalRow, 'before' | 'after'> & Step;

export interface HistoryPage {
  readonly zoneId: string;
  /** Latest first. */
  readonly entries: readonly HistoryEntry[];
  /** Marker of the next page, which may be empty; `null` after the last one. */
  readonly next: number | null;
}

export interface DeletedPage {
  readonly entries: readonly DeletedZone[];
  readonly next: string | null;
}

/** Limits the snapshot text of a page, and the text searched for it, in characters. */
const SHOWN_LENGTH = 2 ** 20;
const SEARCHED_LENGTH = 2 ** 26;
const ROWS_AT_A_TIME = 500;

/** Lists the journal of a zone (behaviour 11.1). */
@Injectable()
export class HistoryService {
  constructor(
    private readonly history: HistoryRepository,
    private readonly points: HistoryPoints,
    private readonly zones: ZoneRepository,
    private readonly names: ZonesService,
    private readonly reads: Reads,
  ) {}

  /** Works for deleted zones, too. @throws ServiceError `zone_not_found` unless the caller is the owner or an admin */
  ofZone(zoneId: string, caller: Caller, request: HistoryRequest): Promise<HistoryPage> {
    return this.reads.offPrimary(async () => {
      await this.assertShown(zoneId, caller);
      return this.page(zoneId, request);
    });
  }

  /** @throws ServiceError `zone_not_found` if the caller may not see the history of the zone */
  async assertShown(zoneId: string, caller: Caller): Promise<void> {
    const { zone, former } = await this.reads.run(async (tx) => {
      const there = await this.zones.findIn(tx, zoneId);
      return { zone: there, former: there === undefined ? await this.history.findFormer(tx, zoneId) : undefined };
    });
    if (zone === undefined ? !maySeeFormer(caller, former) : !maySee(caller, zone)) throw noSuchHistory();
  }

  /** Number of the last step before `since` or before the stored history. */
  lastNotShown(zoneId: string, since: Instant | null): Promise<number> {
    return this.reads.run(async (tx) => {
      const kept = ((await this.history.first(tx, zoneId))?.number ?? 1) - 1;
      return since === null ? kept : Math.max(kept, await this.points.numberBefore(tx, zoneId, since));
    });
  }

  /**
   * Uses the zone with that name. If the caller has none, uses its latest deleted one.
   * @param name an absolute domain name
   * @throws ServiceError `zone_not_found`
   */
  ofName(name: string, caller: Caller, request: HistoryRequest): Promise<HistoryPage> {
    return this.reads.offPrimary(() => this.pageOfName(name, caller, request));
  }

  private async pageOfName(name: string, caller: Caller, request: HistoryRequest): Promise<HistoryPage> {
    const tenantId = caller.allTenants ? null : caller.tenantId;
    const zone = await this.names.findByName(name, caller);
    if (zone !== null) return this.page(zone.id, request);
    const former = await this.reads.run((tx) => this.history.findFormerByName(tx, name.toLowerCase(), tenantId));
    if (former === undefined || !maySeeFormer(caller, former)) throw noSuchHistory();
    return this.page(former.id, request);
  }

  /** Deleted zones of the caller's tenant, as far as their history is stored. */
  async deleted(caller: Caller, before: string | null, limit: number): Promise<DeletedPage> {
    const found = await this.reads.offPrimary(() =>
      this.reads.run((tx) => this.history.deletedOf(tx, caller.tenantId, before, limit)),
    );
    const entries = found.filter(({ name }) => maySeeFormer(caller, { id: '', name, tenantId: caller.tenantId }));
    return { entries, next: found.length === limit ? (found.at(-1)?.id ?? null) : null };
  }

  private async page(zoneId: string, request: HistoryRequest): Promise<HistoryPage> {
    const { since, marker } = request;
    const above = await this.lastNotShown(zoneId, since);
    const range = { above, below: marker ?? Number.MAX_SAFE_INTEGER };
    const { entries, lowest } = await this.search(zoneId, range, request);
    return { zoneId, entries, next: lowest > above + 1 ? lowest : null };
  }

  /** Searches back in windows, between turns of other requests, until the page is full. */
  private async search(zoneId: string, { above, below }: NumberRange, request: HistoryRequest): Promise<Found> {
    const entries: HistoryEntry[] = [];
    let [lowest, shown, searched] = [below, 0, 0];
    while (searched < SEARCHED_LENGTH) {
      const range = { above, below: lowest };
      const rows = await this.reads.run((tx) => this.history.page(tx, zoneId, range, windowOf(request)));
      if (rows.length === 0) return { entries, lowest: above };
      for (const row of rows) {
        lowest = row.number;
        searched += lengthOf(row);
        if (isUpkeep(row) || !mayBeWanted(row, request)) continue;
        const entry = { ...row, ...readStep(row) };
        if (!isWanted(entry, request)) continue;
        shown += lengthOf(row);
        entries.push(entry);
        if (entries.length === request.limit || shown >= SHOWN_LENGTH) return { entries, lowest };
      }
      await nextTurn();
    }
    return { entries, lowest };
  }
}

export function maySeeFormer(caller: Caller, former: FormerZone | undefined): boolean {
  if (former === undefined) return false;
  const { tenantId, name } = former;
  return maySee(caller, { tenantId: tenantId ?? '', nameKey: name === null ? '' : DomainName.parse(name).key });
}

interface Found {
  readonly entries: readonly HistoryEntry[];
  readonly lowest: number;
}

/** Without a filter, every row matches. */
function windowOf({ name, type, limit }: HistoryRequest): number {
  return name === null && type === null ? Math.min(limit, ROWS_AT_A_TIME) : ROWS_AT_A_TIME;
}

/** Snapshots and other columns, which have the length of an A record. */
function lengthOf({ before, after }: JournalRow): number {
  return (before?.length ?? 0) + (after?.length ?? 0) + REST_OF_ROW;
}

const REST_OF_ROW = 256;

/** Searches the text of the snapshots, in a tenth of the time of parsing. */
function mayBeWanted({ before, after }: JournalRow, { name, type }: HistoryRequest): boolean {
  if (name === null && type === null) return true;
  const text = `${before ?? ''}${after ?? ''}`;
  return (type === null || text.includes(`"${type}"`)) && (name === null || text.toLowerCase().includes(`"${name}"`));
}

function isWanted({ action, before, after }: HistoryEntry, { name, type }: HistoryRequest): boolean {
  if (name === null && type === null) return true;
  if (!action.startsWith('record.')) return false;
  const sides = [before, after].filter((side) => side !== null) as RecordSnapshot[];
  return sides.some(
    (record) => (name === null || record.name.toLowerCase() === name) && (type === null || record.type === type),
  );
}

export function noSuchHistory(): ServiceError {
  return new ServiceError('zone_not_found', 'There is no history of this zone; list the zones that you have.');
}
