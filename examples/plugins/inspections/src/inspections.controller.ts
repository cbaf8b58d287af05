import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { AdminOnly } from 'zonewright';
import { type InspectionDto, InspectZoneDto, ListInspectionsDto, toInspectionDto } from './inspections.dto.js';
import { inspectedZones } from './inspections.metrics.js';
import { InspectionsService } from './inspections.service.js';

@AdminOnly()
@Controller('admin/inspections')
export class InspectionsController {
  constructor(private readonly inspections: InspectionsService) {}

  @Get()
  async list(@Query() { limit = 100 }: ListInspectionsDto): Promise<{ inspections: InspectionDto[] }> {
    return { inspections: (await this.inspections.latest(limit)).map(toInspectionDto) };
  }

  @Post()
  @HttpCode(200)
  async inspect(@Body() { zone }: InspectZoneDto): Promise<InspectionDto> {
    const inspection = await this.inspections.inspect(zone);
    const { errors, warnings } = inspection;
    inspectedZones.of(errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'nothing').add();
    return toInspectionDto(inspection);
  }
}
