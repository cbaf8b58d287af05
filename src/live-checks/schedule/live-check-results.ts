import { Injectable } from '@nestjs/common';
import type { Lease } from '../../background/lease.js';
import type { Caller } from '../../common/caller.js';
import { type Instant, SECOND } from '../../common/clock.js';
import { causeOf } from '../../common/service-error.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import type { LiveCheck } from '../live-check.service.js';
import type { LiveFinding, LiveSeverity } from '../live-finding.js';
import { LiveChecksOptions } from '../live-checks.options.js';
import { failureAfter } from './failure.js';
import { SCOPE, StoredLiveCheckRepository } from './stored-live-check.repository.js';

const MOST_FINDINGS = 100;
/** Approximate. */
const MOST_OCTETS = 2 ** 15;

export interface LastLiveCheck extends Omit<LiveCheck, 'checkedAt'> {
  /** `null`: the zone was not checked yet. */
  readonly checkedAt: Instant | null;
  /** Of all findings. */
  readonly errors: number;
  readonly warnings: number;
  readonly notices: number;
}

const NOT_CHECKED: LastLiveCheck = {
  ...{ checkedAt: null, isComplete: false, queries: 0, errors: 0, warnings: 0, notices: 0 },
  findings: [],
};

/** Stores the last result of each zone, and answers it (behaviour 27.12). */
@Injectable()
export class LiveCheckResults {
  private readonly warning = new ThrottledLogger();

  constructor(
    private readonly stored: StoredLiveCheckRepository,
    private readonly zones: ZoneRepository,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly options: LiveChecksOptions,
  ) {}

  /** @throws ServiceError `zone_not_found` */
  async last(zoneId: string, caller: Caller): Promise<LastLiveCheck> {
    const { id } = await this.zones.findOwned(zoneId, caller);
    const row = await this.reads.run((tx) => this.stored.find(tx, id));
    if (row === undefined) return NOT_CHECKED;
    const { checkedAt, isComplete, queries, errors, warnings, notices, findings } = row;
    return {
      ...{ checkedAt, isComplete: isComplete === 1, queries, errors, warnings, notices },
      findings: JSON.parse(findings) as LiveFinding[],
    };
  }

  /** Never throws: the client has its answer. */
  async storeRequested(zoneId: string, check: LiveCheck): Promise<void> {
    try {
      await this.store(zoneId, check, null);
      this.warning.over('Results of live checks are stored again.');
    } catch (error) {
      this.warning.warn(`Cannot store the result of a live check: ${causeOf(error)}. Check the domain again later.`);
    }
  }

  /** @param lease of scheduled checks: without it, another process has checked the zone */
  store(zoneId: string, check: LiveCheck, lease: Lease | null): Promise<void> {
    const { checkedAt, isComplete, queries, findings } = check;
    const count = (wanted: LiveSeverity): number => findings.filter(({ severity }) => severity === wanted).length;
    const row = {
      ...{ zoneId, nextAt: this.nextAfter(checkedAt), checkedAt, isComplete: isComplete ? 1 : 0, queries },
      ...{ errors: count('error'), warnings: count('warning'), notices: count('notice') },
      findings: JSON.stringify(firstOf(findings)),
    };
    return this.unitOfWork.run(async (tx) => {
      if (lease !== null && !(await lease.isHeldIn(tx))) return;
      const former = await this.stored.findLocked(tx, zoneId);
      const failing = failureAfter(check, former?.failing ?? null);
      const hasChanged = (failing === null) !== ((former?.failing ?? null) === null);
      const eventAt = hasChanged && this.options.interval !== null ? checkedAt : (former?.eventAt ?? null);
      await this.stored.store(tx, { ...row, failing, eventAt });
    }, SCOPE);
  }

  private nextAfter(checkedAt: Instant): Instant | null {
    const { interval } = this.options;
    return interval === null ? null : checkedAt + interval * SECOND;
  }
}

function firstOf(findings: readonly LiveFinding[]): LiveFinding[] {
  let octets = 0;
  return findings.slice(0, MOST_FINDINGS).filter((finding) => {
    octets += Buffer.byteLength(JSON.stringify(finding));
    return octets <= MOST_OCTETS;
  });
}
