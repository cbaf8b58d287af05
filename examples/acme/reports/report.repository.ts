import { Injectable } from '@nestjs/common';
import { entityManagerOf, Reads, Statement, UnitOfWork } from '../../../src/index.js';
import { ReportEntity } from './report.entity.js';

const LIST = new Statement<ReportEntity>('SELECT id, zone, records, at FROM acme_reports ORDER BY at, id');

@Injectable()
export class ReportRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async insert(report: ReportEntity): Promise<void> {
    await this.unitOfWork.run((tx) => entityManagerOf(tx).insert(ReportEntity, report));
  }

  list(): Promise<ReportEntity[]> {
    return this.reads.run((tx) => LIST.rows(tx, []));
  }
}
