import { Injectable } from '@nestjs/common';
import { HealthCheck } from 'zonewright';
import { InspectionsService } from './inspections.service.js';

/** Fails if the last inspection is too old, as after a lost timer. */
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
