import { Injectable } from '@nestjs/common';
import { entityManagerOf, type Instant, Reads, Statement, UnitOfWork } from 'zonewright';
import { InspectionEntity } from './inspection.entity.js';

const LATEST = new Statement<InspectionEntity>(
  'SELECT id, zone, errors, warnings, at FROM inspections_results ORDER BY at DESC, id DESC LIMIT ?',
);
const DELETE_BEFORE = new Statement('DELETE FROM inspections_results WHERE at < ?');

@Injectable()
export class InspectionsRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Stores one, and removes those from before `since`, both or neither. */
  async insert(inspection: InspectionEntity, since: Instant): Promise<void> {
    await this.unitOfWork.run(async (tx) => {
      await entityManagerOf(tx).insert(InspectionEntity, inspection);
      await DELETE_BEFORE.run(tx, [since]);
    });
  }

  latest(count: number): Promise<InspectionEntity[]> {
    return this.reads.run((tx) => LATEST.rows(tx, [count]));
  }
}
