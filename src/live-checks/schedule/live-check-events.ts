import { Injectable } from '@nestjs/common';
import { labelsOf } from '../../common/labels.js';
import { Reads } from '../../database/reads.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { type LiveCheckNotice, NoticeReceivers } from '../../feed/change-events.js';
import type { LiveFinding } from '../live-finding.js';
import { SCOPE, StoredLiveCheckRepository, type UntoldCheck } from './stored-live-check.repository.js';

const PORTION = 50;
const MOST_ERRORS = 20;

/** Tells event streams and webhooks of zones that have begun to fail, or have recovered (behaviour 27.14). */
@Injectable()
export class LiveCheckEvents {
  constructor(
    private readonly stored: StoredLiveCheckRepository,
    private readonly receivers: NoticeReceivers,
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async tellAll(signal: AbortSignal): Promise<void> {
    for (let isFull = true; isFull && !signal.aborted;) {
      const untold = await this.reads.run((tx) => this.stored.untold(tx, PORTION));
      // Receivers ignore repeated notices, which occur if this process dies before the next step.
      await this.receivers.tell(untold.map(noticeOf));
      if (untold.length > 0) await this.unitOfWork.run((tx) => this.stored.markTold(tx, untold), SCOPE);
      isFull = untold.length === PORTION;
    }
  }
}

function noticeOf(check: UntoldCheck): LiveCheckNotice {
  const { zoneId: id, name, tenantId, labels, eventAt: at, errors, warnings, notices, failing } = check;
  // Only `LiveCheckResults` writes the column.
  const findings = JSON.parse(check.findings) as LiveFinding[];
  return {
    kind: 'live_check',
    publication: failing === null ? 'live_check_recovered' : 'live_check_failing',
    zone: { id, name, tenantId, ...(labels !== null && { labels: labelsOf({ labels }) }) },
    ...{ serial: at, changedAt: at, at, servers: [], counts: { errors, warnings, notices } },
    findings: findings.filter(({ severity }) => severity === 'error').slice(0, MOST_ERRORS),
  };
}
