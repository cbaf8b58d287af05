import { Controller, Get } from '@nestjs/common';
import { AdminOnly, formatInstant } from '../../../src/index.js';
import { ReportsService } from './reports.service.js';

interface ReportDto {
  readonly zone: string;
  readonly records: number;
  readonly at: string;
}

@AdminOnly()
@Controller('admin/reports')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get()
  async list(): Promise<{ reports: ReportDto[] }> {
    const reports = await this.reports.list();
    return { reports: reports.map(({ zone, records, at }) => ({ zone, records, at: formatInstant(at) })) };
  }
}
