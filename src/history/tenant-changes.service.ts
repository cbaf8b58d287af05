import { Injectable } from '@nestjs/common';
import { maySee } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import type { Instant } from '../common/clock.js';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import { DomainName } from '../dns/name.js';
import { type ChangeSummary, ChangeSummaries, MOST_STEPS } from './change-summaries.js';
import { IS_STAGED_STEP } from '../zones/staged-imports/staged-change.repository.js';
import { isUpkeep } from './history.repository.js';
import { beginningOf, type TimeCursor } from '../zones/journal/time-cursor.js';
import { AMONG, AMONG_ON_POSTGRES } from '../database/statements/lookup.js';
import { Statement } from '../database/statements/statement.js';
import { inKeyOrder } from '../database/statements/walk.js';

export interface TenantChangeSummary extends ChangeSummary {
  readonly zone: OwnZone;
}

export interface TenantChangesRequest {
  readonly marker: TimeCursor | null;
  readonly limit: number;
  /** Inclusive; `null`: no limit. */
  readonly since: Instant | null;
}

export interface TenantChangesPage {
  /** Latest first. */
  readonly changes: readonly TenantChangeSummary[];
  readonly next: TimeCursor | null;
}

/** Existing or deleted zone of a tenant. The name of a deleted zone is in lower case. */
interface OwnZone {
  readonly id: string;
  readonly name: string;
}

interface EarlierStep extends TimeCursor {
  /** 1 for a step of a change that is written ahead. All its steps have one time. */
  readonly isStaged: number;
}

const EARLIER_SQL = (index: string, isStaged = '0'): string =>
  `SELECT at, zone_id AS id, number, ${isStaged} AS "isStaged" FROM journal${index} WHERE (at, zone_id, number) < (?, ?, ?) AND at >= ?` +
  ' ORDER BY at DESC, zone_id DESC, number DESC LIMIT ?';
const EARLIER = new Statement<EarlierStep>(
  EARLIER_SQL(' INDEXED BY journal_in_time', IS_STAGED_STEP('change_id')),
  EARLIER_SQL(''),
);

/** The unary plus keeps SQLite from the tenant index, because a tenant may have many zones. */
const THERE_SQL = 'SELECT id, name FROM zones WHERE';
const THERE = new Statement<OwnZone>(
  `${THERE_SQL} id ${AMONG} AND +tenant_id = ?`,
  `${THERE_SQL} id ${AMONG_ON_POSTGRES} AND tenant_id = ?`,
);
const GONE_SQL = (index: string, among: string): string =>
  `SELECT zone_id AS id, former_name AS name FROM journal${index}` +
  ` WHERE action = 'zone.delete' AND zone_id ${among} AND former_owner = ?`;
const GONE = new Statement<OwnZone>(
  GONE_SQL(' INDEXED BY journal_former_of_owner', AMONG),
  GONE_SQL('', AMONG_ON_POSTGRES),
);

@Injectable()
export class TenantStepsRepository {
  constructor(private readonly reads: Reads) {}

  /** Steps before a cursor and not before an instant, latest first. */
  earlier({ at, id, number }: TimeCursor, since: Instant, limit: number): Promise<EarlierStep[]> {
    return this.reads.run((tx) => inKeyOrder(tx, () => EARLIER.rows(tx, [at, id, number, since, limit])));
  }

  /** Zones of the tenant among these, existing or deleted. */
  async own(tenantId: string, zoneIds: readonly string[]): Promise<OwnZone[]> {
    const values = [JSON.stringify(zoneIds), tenantId];
    return this.reads.run(async (tx) => [...(await THERE.rows(tx, values)), ...(await GONE.rows(tx, values))]);
  }
}

/** Steps of all tenants examined per read. */
const LOOKED_AT = 1000;
/** Portions of one page. The next page continues the search. */
const PORTIONS_OF_PAGE = 100;

/** Lists changes of the zones of a tenant (behaviour 11.8). */
@Injectable()
export class TenantChangesService {
  constructor(
    private readonly steps: TenantStepsRepository,
    private readonly summed: ChangeSummaries,
    private readonly reads: Reads,
  ) {}

  /** @param gone aborts when the client disconnects */
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
        if (zone === undefined || step.isStaged === 1) page.passOver(step);
        else page.add(zone, step, await this.summed.latest(zone.id, { above: 0, below: step.number + 1 }));
        if (page.isFull) return page.answer();
      }
      if (steps.length < LOOKED_AT) return { changes: page.changes, next: null };
      // SQLite blocks the event loop while it reads, so other requests get a turn.
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

class PageUnderWay {
  readonly changes: TenantChangeSummary[] = [];
  /** Everything later was examined. */
  end: TimeCursor;
  private stepCount = 0;

  constructor(private readonly request: TenantChangesRequest) {
    this.end = request.marker ?? beginningOf(Number.MAX_SAFE_INTEGER);
  }

  get isFull(): boolean {
    return this.changes.length >= this.request.limit || this.stepCount >= MOST_STEPS;
  }

  /** A read may end within a change, so each change counts at its last step. */
  isBehind({ at, id, number }: TimeCursor): boolean {
    if (at !== this.end.at) return at < this.end.at;
    return id === this.end.id ? number < this.end.number : id < this.end.id;
  }

  /** All steps of one zone and time belong to another tenant, or are written ahead. */
  passOver(step: TimeCursor): void {
    this.end = { ...step, number: 0 };
  }

  /** @param change `null` if it was removed meanwhile */
  add(zone: OwnZone, step: TimeCursor, change: ChangeSummary | null): void {
    this.end = { ...step, number: change?.first ?? 0 };
    if (change === null) return;
    if (!isUpkeep(change)) this.changes.push({ ...change, zone });
    this.stepCount += change.last - change.first + 1;
  }

  answer(): TenantChangesPage {
    return { changes: this.changes, next: this.end };
  }
}
