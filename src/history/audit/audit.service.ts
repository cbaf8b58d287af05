import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { Reads } from '../../database/reads.js';
import { beginningOf, type TimeCursor } from '../../zones/journal/time-cursor.js';
import type { AuditEntry } from './audit-entry.js';
import { type AuditFilter, AuditRepository, type ReadEntry } from './audit.repository.js';

/** What part of the audit is asked for. */
export interface AuditRequest {
  readonly filter: AuditFilter;
  /** Nothing from before it. */
  readonly since: Instant | null;
  /** Nothing from then on. */
  readonly until: Instant | null;
  /** Nothing but what is older than this cursor. */
  readonly marker: TimeCursor | null;
}

export interface AuditPage {
  /** Latest first. */
  readonly entries: readonly AuditEntry[];
  /** Where the next page begins; `null` where there is nothing older. */
  readonly next: TimeCursor | null;
}

/** Entries are read so many at a time: their names are in snapshots, of up to 130 KiB each. */
const READ_AT_A_TIME = 128;
/** A filter looks at so many entries at a time, of which it may let none through. */
const LOOKED_AT = 1000;
/** A page ends after so many portions: a search goes on in the next one. */
const PORTIONS_OF_PAGE = 100;
/** A page ends where details have so many characters together. */
const PAGE_LENGTH = 2 ** 22;

/** Who did what when: the journals of all zones and what they do not tell (behaviour 14.6). */
@Injectable()
export class AuditService {
  constructor(
    private readonly audit: AuditRepository,
    private readonly reads: Reads,
  ) {}

  /**
   * A page of at most `limit` entries; fewer where a search finds few, or where nobody waits for more.
   * @param gone says that nobody does
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
      // SQLite is read without leaving the event loop, which has others to serve.
      await nextTurn();
    }
    return { entries, next };
  }

  /**
   * All entries, or as many as are wanted, some at a time and latest first.
   * @param gone says that nobody wants more
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

  /** What is found in a bounded time. */
  private async chunk({ filter, since, until, marker }: AuditRequest, limit: number): Promise<AuditPage> {
    const end = until ?? Number.MAX_SAFE_INTEGER;
    const before = marker !== null && marker.at < end ? marker : beginningOf(end);
    const from = beginningOf(since ?? 0);
    const isFiltered = Object.values(filter).some((value) => value !== null);
    const lookedAt = isFiltered ? await this.audit.cursorAt(LOOKED_AT, { before, from }) : null;
    // One more than is shown tells whether there is more.
    const found = await this.audit.entries(filter, { before, from: lookedAt ?? from }, limit + 1);
    const incoming = found.find(({ isIncoming }) => isIncoming === 1);
    if (incoming !== undefined) return { entries: found.slice(0, found.indexOf(incoming)), next: behindAll(incoming) };
    const entries = found.slice(0, limit);
    return { entries, next: found.length > limit ? cursorOf(entries) : lookedAt };
  }
}

/** Behind all entries that the zone has at the time. */
function behindAll({ at, id }: ReadEntry): TimeCursor {
  return { at, id, number: 0 };
}

function cursorOf(entries: readonly AuditEntry[]): TimeCursor | null {
  return entries.at(-1) ?? null;
}
