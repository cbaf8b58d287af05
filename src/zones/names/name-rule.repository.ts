import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { AuditTrail } from '../../database/audit/audit-trail.js';
import { Reads } from '../../database/reads.js';
import type { ResourceEntity } from '../../database/resource.entity.js';
import { ResourceRepository } from '../../database/resource.repository.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ZoneNameRulesRepository } from './zone-name-rules.repository.js';

/** A table of rules for names of zones: whoever remembers the rules learns of each change. */
@Injectable()
export abstract class NameRuleRepository<Row extends ResourceEntity> extends ResourceRepository<Row> {
  constructor(
    reads: Reads,
    unitOfWork: UnitOfWork,
    clock: Clock,
    trail: AuditTrail,
    private readonly rules: ZoneNameRulesRepository,
  ) {
    super(reads, unitOfWork, clock, trail);
  }

  protected override recordChange(tx: Transaction): Promise<void> {
    return this.rules.recordChange(tx);
  }
}
