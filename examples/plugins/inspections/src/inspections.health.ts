import { Injectable } from '@nestjs/common';
import { HealthCheck } from 'zonewright';
import { InspectionsService } from './inspections.service.js';

/** Fails when nobody has inspected anything for too long, as when a timer was forgotten. */
@Injectable()
export class InspectionsHealth extends HealthCheck {
  constructor(private readonly inspections: InspectionsService) {
    super();
  }

  override async assertHealthy(): Promise<void> {
    if (await this.inspections.isOverdue())
      throw new Error('no zone was inspected for too long: run "zonewright inspect"');
  }
}
