import { Injectable } from '@nestjs/common';
import { maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Instant } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import { DomainName } from '../dns/name.js';
import { type RecordSnapshot, readStep, type Step } from '../zones/journal/journal-format.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { ZonesService } from '../zones/zones.service.js';
import {
  type DeletedZone,
  type FormerZone,
  HistoryRepository,
  type JournalRow,
  type NumberRange,
} from './history.repository.js';
import { HistoryPoints } from './history-points.js';

/** Which entries, and which page of them. */
export interface HistoryRequest {
  /** Owner name in lower case, and type, of the record that a step has changed; `null` for any. */
  readonly name: string | null;
  readonly type: string | null;
  /** No entries of before; `null` for the whole history. */
  readonly since: Instant | null;
  /** The number of the last entry that was seen; `null` for none. */
  readonly marker: number | null;
  readonly limit: number;
}

/** A step of a change, with the actor and with what it made of what. */
export type HistoryEntry = Omit<JournalRow, 'before' | 'after'> & Step;

export interface HistoryPage {
  readonly zoneId: string;
  /** Latest first. */
  readonly entries: readonly HistoryEntry[];
  /** The marker of the next page, which may be empty; `null` after the last one. */
  readonly next: number | null;
}

export interface DeletedPage {
  readonly entries: readonly DeletedZone[];
  /** The marker of the next page; `null` after the last one. */
  readonly next: string | null;
}

/** A page ends where its snapshots have so much text, in characters, and where so much was looked through. */
const SHOWN_LENGTH = 2 ** 20;
const SEARCHED_LENGTH = 2 ** 26;
const ROWS_AT_A_TIME = 500;

/** The story of a zone as the journal tells it (behaviour 11.1). */
@Injectable()
export class HistoryService {
  constructor(
    private readonly history: HistoryRepository,
    private readonly points: HistoryPoints,
    private readonly zones: ZoneRepository,
    private readonly names: ZonesService,
    private readonly reads: Reads,
  ) {}

  /**
   * Of a zone, also of one that has been deleted.
   * @throws ServiceError `zone_not_found` for everybody but its owner and admins
   */
  ofZone(zoneId: string, caller: Caller, request: HistoryRequest): Promise<HistoryPage> {
    return this.reads.offPrimary(async () => {
      await this.assertShown(zoneId, caller);
      return this.page(zoneId, request);
    });
  }

  /** @throws ServiceError `zone_not_found` for a zone, there or deleted, whose history the caller is not shown */
  async assertShown(zoneId: string, caller: Caller): Promise<void> {
    const { zone, former } = await this.reads.run(async (tx) => {
      const there = await this.zones.findIn(tx, zoneId);
      return { zone: there, former: there === undefined ? await this.history.findFormer(tx, zoneId) : undefined };
    });
    if (zone === undefined ? !maySeeFormer(caller, former) : !maySee(caller, zone)) throw noSuchHistory();
  }

  /** The number of the last step that is too old to be shown: not kept, or from before that time. */
  lastNotShown(zoneId: string, since: Instant | null): Promise<number> {
    return this.reads.run(async (tx) => {
      const kept = ((await this.history.first(tx, zoneId))?.number ?? 1) - 1;
      return since === null ? kept : Math.max(kept, await this.points.numberBefore(tx, zoneId, since));
    });
  }

  /**
   * Of the zone of that name; when the caller has none, of the one that it had last.
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

  /**
   * Zones that the caller's tenant has deleted, as far as their history is kept.
   * @param before the id of the last one that was seen; `null`: of none
   */
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

  /** Goes back through the range until the page is full, window by window, so that others get their turn. */
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
        if (!mayBeWanted(row, request)) continue;
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

/** Whether the caller is shown the history of a deleted zone. */
export function maySeeFormer(caller: Caller, former: FormerZone | undefined): boolean {
  if (former === undefined) return false;
  const { tenantId, name } = former;
  return maySee(caller, { tenantId: tenantId ?? '', nameKey: name === null ? '' : DomainName.parse(name).key });
}

interface Found {
  readonly entries: readonly HistoryEntry[];
  /** Number of the last row that was looked at. */
  readonly lowest: number;
}

/** Without a filter every row is shown. */
function windowOf({ name, type, limit }: HistoryRequest): number {
  return name === null && type === null ? Math.min(limit, ROWS_AT_A_TIME) : ROWS_AT_A_TIME;
}

/** Snapshots and the columns beside them, which are about as long as those of an address. */
function lengthOf({ before, after }: JournalRow): number {
  return (before?.length ?? 0) + (after?.length ?? 0) + REST_OF_ROW;
}

const REST_OF_ROW = 256;

/** Looks at the text of the snapshots, which takes a tenth of reading them. */
function mayBeWanted({ before, after }: JournalRow, { name, type }: HistoryRequest): boolean {
  if (name === null && type === null) return true;
  const text = `${before ?? ''}${after ?? ''}`;
  return (type === null || text.includes(`"${type}"`)) && (name === null || text.toLowerCase().includes(`"${name}"`));
}

function isWanted({ action, before, after }: HistoryEntry, { name, type }: HistoryRequest): boolean {
  if (name === null && type === null) return true;
  if (!action.startsWith('record.')) return false;
  // Steps of records have snapshots of records.
  const sides = [before, after].filter((side) => side !== null) as RecordSnapshot[];
  return sides.some(
    (record) => (name === null || record.name.toLowerCase() === name) && (type === null || record.type === type),
  );
}

export function noSuchHistory(): ServiceError {
  return new ServiceError('zone_not_found', 'There is no history of this zone; list the zones that you have.');
}
