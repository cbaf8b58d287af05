import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, operatorFor, ZonesService } from '../../../src/index.js';
import type { ReportEntity } from './report.entity.js';
import { ReportRepository } from './report.repository.js';

@Injectable()
export class ReportsService {
  constructor(
    private readonly reports: ReportRepository,
    private readonly zones: ZonesService,
    private readonly clock: Clock,
  ) {}

  /** @throws Error for an unknown zone */
  async add(name: string): Promise<ReportEntity> {
    const zone = await this.zones.findByName(name.endsWith('.') ? name : `${name}.`, operatorFor('admin'));
    if (zone === null) throw new Error(`there is no zone ${name}`);
    const report = { id: randomUUID(), zone: zone.name, records: zone.recordCount, at: this.clock.now() };
    await this.reports.insert(report);
    return report;
  }

  list(): Promise<ReportEntity[]> {
    return this.reports.list();
  }
}
