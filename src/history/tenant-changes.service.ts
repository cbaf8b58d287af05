import { Injectable } from '@nestjs/common';
import { maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Instant } from '../common/clock.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import { DomainName } from '../dns/name.js';
import { type ChangeSummary, ChangeSummaries } from './change-summaries.js';
import { type OwnZone, TenantStepsRepository } from './tenant-steps.repository.js';
import { beginningOf, type TimeCursor } from '../zones/journal/time-cursor.js';
import { MOST_STEPS } from './zone-changes-list.service.js';

export interface TenantChange extends ChangeSummary {
  readonly zone: OwnZone;
}

export interface TenantChangesRequest {
  /** The first step of the last change that was seen; `null` for none. */
  readonly marker: TimeCursor | null;
  readonly limit: number;
  /** No changes of before; `null` for the whole history. */
  readonly since: Instant | null;
}

export interface TenantChangesPage {
  /** Latest first. */
  readonly changes: readonly TenantChange[];
  /** The marker of the next page; `null` where nothing is older. */
  readonly next: TimeCursor | null;
}

/** Steps of whatever tenant that are looked at at a time. */
const LOOKED_AT = 1000;
/** A page ends after so many times: the next one goes on. */
const PORTIONS_OF_PAGE = 100;

/** What happened to the zones of a tenant, change by change (behaviour 11.8). */
@Injectable()
export class TenantChangesService {
  constructor(
    private readonly steps: TenantStepsRepository,
    private readonly summed: ChangeSummaries,
    private readonly reads: Reads,
  ) {}

  /** @param gone says that nobody waits for the page any more */
  page(caller: Caller, request: TenantChangesRequest, gone: AbortSignal): Promise<TenantChangesPage> {
    return this.reads.offPrimary(() => this.read(caller, request, gone));
  }

  private async read(caller: Caller, request: TenantChangesRequest, gone: AbortSignal): Promise<TenantChangesPage> {
    const page = new PageUnderWay(request);
    for (let portions = 0; portions < PORTIONS_OF_PAGE && !gone.aborted; portions += 1) {
      const steps = await this.steps.earlier(page.end, request.since ?? 0, LOOKED_AT);
      const zones = await this.zonesOf(caller, steps);
      for (const step of steps) {
        if (!page.isBehind(step)) continue;
        const zone = zones.get(step.id);
        if (zone === undefined) page.passOver(step);
        else page.add(zone, step, await this.summed.latest(zone.id, { above: 0, below: step.number + 1 }));
        if (page.isFull) return page.answer();
      }
      if (steps.length < LOOKED_AT) return { changes: page.changes, next: null };
      // SQLite is read without leaving the event loop, which has others to serve.
      await nextTurn();
    }
    return page.answer();
  }

  private async zonesOf(caller: Caller, steps: readonly TimeCursor[]): Promise<ReadonlyMap<string, OwnZone>> {
    const { tenantId } = caller;
    const own = await this.steps.own(tenantId, [...new Set(steps.map(({ id }) => id))]);
    const isShown = ({ name }: OwnZone): boolean => maySee(caller, { tenantId, nameKey: DomainName.parse(name).key });
    return new Map(own.filter(isShown).map((zone) => [zone.id, zone]));
  }
}

/** Grows while older and older steps are looked at. */
class PageUnderWay {
  readonly changes: TenantChange[] = [];
  /** Everything later has been looked at. */
  end: TimeCursor;
  private stepCount = 0;

  constructor(private readonly request: TenantChangesRequest) {
    this.end = request.marker ?? beginningOf(Number.MAX_SAFE_INTEGER);
  }

  get isFull(): boolean {
    return this.changes.length >= this.request.limit || this.stepCount >= MOST_STEPS;
  }

  /** The steps that were read together are those of several changes, each of which is counted at its last one. */
  isBehind({ at, id, number }: TimeCursor): boolean {
    if (at !== this.end.at) return at < this.end.at;
    return id === this.end.id ? number < this.end.number : id < this.end.id;
  }

  /** Steps of one zone and one time are all somebody else's. */
  passOver(step: TimeCursor): void {
    this.end = { ...step, number: 0 };
  }

  /** @param change `null` where it has been removed meanwhile */
  add(zone: OwnZone, step: TimeCursor, change: ChangeSummary | null): void {
    this.end = { ...step, number: change?.first ?? 0 };
    if (change === null) return;
    this.changes.push({ ...change, zone });
    this.stepCount += change.last - change.first + 1;
  }

  answer(): TenantChangesPage {
    return { changes: this.changes, next: this.end };
  }
}
