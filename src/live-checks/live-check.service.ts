import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock, type Instant } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { Streams } from '../common/streams.js';
import { OutboundReads } from '../moves/outbound-reads.js';
import { TimeLimit } from '../moves/time-limit.js';
import { Counter } from '../observability/metrics.js';
import { ZoneRepository } from '../zones/zone.repository.js';
import { type CheckedZone, CheckedZones } from './checked-zone.js';
import { checkCaa } from './checks/caa-check.js';
import { CheckContext } from './checks/check-context.js';
import { checkDelegation } from './checks/delegation-check.js';
import { checkDs } from './checks/ds-check.js';
import { ServerCheck } from './checks/server-check.js';
import { checkPolicies } from './checks/spf-check.js';
import { checkTargets } from './checks/target-check.js';
import { type LiveFinding, LiveFindings } from './live-finding.js';
import { LiveChecksOptions } from './live-checks.options.js';
import { type CheckBounds, CheckQuestions } from './questions/check-questions.js';
import { QueryTurns } from './questions/query-turns.js';

const CHECKS = new Counter({
  name: 'zonewright_live_checks_total',
  help: 'Live checks of domains: complete, or ended by a limit of time, queries or records, on request or by the schedule.',
  labels: ['result', 'started_by'],
});

export interface LiveCheck {
  readonly checkedAt: Instant;
  /** Whether everything was checked. */
  readonly isComplete: boolean;
  readonly queries: number;
  readonly findings: readonly LiveFinding[];
}

/** Compares a zone with the live DNS (behaviour 27). */
@Injectable()
export class LiveCheckService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly checked: CheckedZones,
    private readonly turns: QueryTurns,
    private readonly outbound: OutboundReads,
    private readonly streams: Streams,
    private readonly clock: Clock,
    private readonly options: LiveChecksOptions,
  ) {}

  /**
   * @throws ServiceError `zone_not_found`, `change_not_allowed` without a resolver, `unavailable`
   */
  async check(zoneId: string, caller: Caller, gone: AbortSignal): Promise<LiveCheck> {
    const { id } = await this.zones.find(zoneId, caller);
    const { resolver, timeLimit } = this.options;
    if (resolver === null)
      throw new ServiceError(
        'change_not_allowed',
        'Live checks need a resolver; ask the operator to set resolver in [service:live_checks].',
      );
    const { tenantId } = caller;
    const zone = await this.streams.read(tenantId, () => this.checked.read(id));
    return this.outbound.run(tenantId, timeLimit * 1000, gone, (stop) =>
      this.compare(id, zone, 'request', { stop, turns: this.turns.ofRequest(tenantId) }),
    );
  }

  /** Takes no slots of requested checks. @throws ServiceError `zone_not_found` */
  async checkScheduled(zoneId: string, tenantId: string, signal: AbortSignal): Promise<LiveCheck> {
    const zone = await this.streams.inTurn(tenantId, () => this.checked.read(zoneId));
    const limit = new TimeLimit(this.options.timeLimit * 1000, signal);
    const { signal: stop } = limit;
    try {
      const turns = this.turns.ofSchedule(tenantId, stop);
      return await this.compare(zoneId, zone, 'schedule', { stop, turns });
    } finally {
      limit.end();
    }
  }

  private async compare(
    zoneId: string,
    zone: CheckedZone,
    startedBy: 'request' | 'schedule',
    bounds: CheckBounds,
  ): Promise<LiveCheck> {
    const questions = new CheckQuestions(this.options, this.turns, bounds);
    const context = new CheckContext(zone, questions, new LiveFindings(), this.options);
    try {
      const servers = this.checkServers(context, () => this.checked.serialOf(zoneId));
      // Name servers come first, but silent ones must not take all of the time.
      await Promise.race([servers, delay((this.options.timeLimit * 1000) / 2, undefined, { ref: false })]);
      await context.all([() => checkCaa(context), () => checkPolicies(context), () => checkTargets(context)]);
      await servers;
    } finally {
      questions.end();
    }
    const check = this.resultOf(context);
    CHECKS.of(check.isComplete ? 'complete' : 'incomplete', startedBy).add();
    return check;
  }

  private async checkServers(context: CheckContext, serialNow: () => Promise<number>): Promise<void> {
    const [delegation = null] = await context.all([() => checkDelegation(context)]);
    const servers = await new ServerCheck(context, serialNow).run(delegation);
    if (delegation !== null) await context.all([() => checkDs(context, delegation, servers)]);
  }

  private resultOf(context: CheckContext): LiveCheck {
    const { zone, findings, questions } = context;
    const isComplete = context.isComplete && !zone.isPartial;
    if (!isComplete) {
      const why = context.isComplete
        ? 'it has more records than one check reads'
        : `the limit of ${this.options.timeLimit} seconds or ${this.options.maxQueries} queries ended the check`;
      const message = `Not all of the domain was checked: ${why}. Ask the operator for higher limits.`;
      findings.add('not_checked', { name: zone.apex.toString(), type: 'SOA' }, message);
    }
    return { checkedAt: this.clock.now(), isComplete, queries: questions.asked, findings: findings.sorted };
  }
}
