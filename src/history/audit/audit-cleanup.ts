import { Injectable } from '@nestjs/common';
import { Clock, DAY } from '../../common/clock.js';
import { HourlyCleanup } from '../../background/hourly-cleanup.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AuditOptions } from './audit.options.js';
import { AuditRepository } from './audit.repository.js';

/** Removes entries that are too old. What the journal tells goes with the history of its zone. */
@Injectable()
export class AuditCleanup extends HourlyCleanup {
  protected override readonly what = 'Old entries of the audit';

  constructor(
    private readonly audit: AuditRepository,
    private readonly options: AuditOptions,
    private readonly clock: Clock,
    unitOfWork: UnitOfWork,
  ) {
    super(unitOfWork);
  }

  protected override async clean(tx: Transaction): Promise<boolean> {
    const { days } = this.options;
    return days !== null && this.audit.removeOld(tx, this.clock.now() - days * DAY);
  }
}
