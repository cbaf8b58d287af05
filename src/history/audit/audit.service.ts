import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import { beginningOf, type TimeCursor } from '../../zones/journal/time-cursor.js';
import type { AuditEntry } from './audit-entry.js';
import { type AuditFilter, AuditRepository, type ReadEntry } from './audit.repository.js';

export interface AuditRequest {
  readonly filter: AuditFilter;
  /** Inclusive. */
  readonly since: Instant | null;
  /** Exclusive. */
  readonly until: Instant | null;
  readonly marker: TimeCursor | null;
}

export interface AuditPage {
  /** Latest first. */
  readonly entries: readonly AuditEntry[];
  readonly next: TimeCursor | null;
}

/** Entries of one read. Their names are in snapshots of up to 130 KiB each. */
const READ_AT_A_TIME = 128;
/** Entries that a filter examines at a time, even if none matches. */
const LOOKED_AT = 1000;
/** Most portions of one page. The next page continues the search. */
const PORTIONS_OF_PAGE = 100;
/** Maximum characters of all details of one page. */
const PAGE_LENGTH = 2 ** 22;

/** Lists the audit (behaviour 14.6). */
@Injectable()
export class AuditService {
  constructor(
    private readonly audit: AuditRepository,
    private readonly reads: Reads,
  ) {}

  /**
   * A page of at most `limit` entries, fewer if the search finds few or the client disconnects.
   * @param gone aborts when the client disconnects
   */
  page(request: AuditRequest, limit: number, gone?: AbortSignal): Promise<AuditPage> {
    return this.reads.offPrimary(() => this.read(request, limit, gone));
  }

  private async read(request: AuditRequest, limit: number, gone?: AbortSignal): Promise<AuditPage> {
    const entries: AuditEntry[] = [];
    let length = 0;
    let next = request.marker;
    for (let portions = 0; portions < PORTIONS_OF_PAGE; portions += 1) {
      const chunk = await this.chunk({ ...request, marker: next }, Math.min(limit - entries.length, READ_AT_A_TIME));
      entries.push(...chunk.entries);
      next = chunk.next;
      length += chunk.entries.reduce((sum, { details }) => sum + (details?.length ?? 0), 0);
      if (next === null || entries.length === limit || length >= PAGE_LENGTH || gone?.aborted) break;
      // SQLite blocks the event loop while it reads, so other requests get a turn.
      await nextTurn();
    }
    return { entries, next };
  }

  /**
   * Yields up to `limit` entries in portions, latest first.
   * @param gone aborts when the client disconnects
   */
  async *portions(request: AuditRequest, limit: number, gone?: AbortSignal): AsyncGenerator<readonly AuditEntry[]> {
    let next = request.marker;
    for (let left = limit; left > 0 && gone?.aborted !== true;) {
      const chunk = await this.chunk({ ...request, marker: next }, Math.min(left, READ_AT_A_TIME));
      if (chunk.entries.length > 0) yield chunk.entries;
      next = chunk.next;
      left -= chunk.entries.length;
      if (next === null) return;
      await nextTurn();
    }
  }

  private async chunk({ filter, since, until, marker }: AuditRequest, limit: number): Promise<AuditPage> {
    const end = until ?? Number.MAX_SAFE_INTEGER;
    const before = marker !== null && marker.at < end ? marker : beginningOf(end);
    const from = beginningOf(since ?? 0);
    const isFiltered = Object.values(filter).some((value) => value !== null);
    const lookedAt = isFiltered ? await this.audit.cursorAt(LOOKED_AT, { before, from }) : null;
    const found = await this.audit.entries(filter, { before, from: lookedAt ?? from }, limit + 1);
    const incoming = found.find(({ isIncoming }) => isIncoming === 1);
    if (incoming !== undefined) return { entries: found.slice(0, found.indexOf(incoming)), next: behindAll(incoming) };
    const entries = found.slice(0, limit);
    return { entries, next: found.length > limit ? cursorOf(entries) : lookedAt };
  }
}

/** Cursor after all current entries of the zone. */
function behindAll({ at, id }: ReadEntry): TimeCursor {
  return { at, id, number: 0 };
}

function cursorOf(entries: readonly AuditEntry[]): TimeCursor | null {
  return entries.at(-1) ?? null;
}
