import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import type { DryRunResult } from '../records/changes/record-operation.js';
import { type PlanFinding, PlanFindings } from '../records/plan-findings.js';
import { ZoneCheckService } from './zone-check.service.js';

/** Checks a zone as a change would leave it. */
@Injectable()
export class PlanCheck extends PlanFindings {
  constructor(private readonly check: ZoneCheckService) {
    super();
  }

  override of(zoneId: string, caller: Caller, tried: DryRunResult): Promise<readonly PlanFinding[] | null> {
    return this.check.added(zoneId, caller, tried);
  }
}
