import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, operatorFor, ServiceError, ZoneCheckService, ZonesService } from 'zonewright';
import type { InspectionEntity } from './inspection.entity.js';
import { InspectionsOptions } from './inspections.options.js';
import { InspectionsRepository } from './inspections.repository.js';

/** In microseconds, as the clock counts. */
const HOUR = 3_600_000_000;
const DAY = 24 * HOUR;

const ZONES_AT_A_TIME = 100;

@Injectable()
export class InspectionsService {
  /** Callers are admins or operators: they see the zones of all tenants. */
  private readonly caller = operatorFor('admin');

  constructor(
    private readonly inspections: InspectionsRepository,
    private readonly zones: ZonesService,
    private readonly checks: ZoneCheckService,
    private readonly clock: Clock,
    private readonly options: InspectionsOptions,
  ) {}

  /** @throws ServiceError `zone_not_found`, and `invalid_object` for an invalid name */
  async inspect(name: string): Promise<InspectionEntity> {
    const zone = await this.zones.findByName(name, this.caller);
    if (zone === null) throw new ServiceError('zone_not_found', `There is no zone ${name}`);
    return this.inspectZone(zone);
  }

  /** Inspects all zones sequentially. */
  async *inspectAll(): AsyncGenerator<InspectionEntity> {
    let marker = '';
    for (;;) {
      const { entries, isLast } = await this.zones.page(this.caller, marker, ZONES_AT_A_TIME);
      for (const zone of entries) {
        const inspection = await this.inspectZone(zone).catch(nothingWhereGone);
        if (inspection !== null) yield inspection;
      }
      if (isLast) return;
      marker = entries.at(-1)?.id ?? marker;
    }
  }

  /** The last first. */
  latest(count: number): Promise<InspectionEntity[]> {
    return this.inspections.latest(count);
  }

  /** Whether the last one was too long ago. */
  async isOverdue(): Promise<boolean> {
    const { overdueHours } = this.options;
    if (overdueHours === 0) return false;
    const [last] = await this.inspections.latest(1);
    return last === undefined || last.at < this.clock.now() - overdueHours * HOUR;
  }

  private async inspectZone({ id, name }: { readonly id: string; readonly name: string }): Promise<InspectionEntity> {
    const findings = await this.checks.check(id, this.caller);
    const at = this.clock.now();
    const countOf = (wanted: string) => findings.filter(({ severity }) => severity === wanted).length;
    const inspection = { id: randomUUID(), zone: name, errors: countOf('error'), warnings: countOf('warning'), at };
    await this.inspections.insert(inspection, at - this.options.keptDays * DAY);
    return inspection;
  }
}

/** A zone may be deleted between the list and its turn. */
function nothingWhereGone(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'zone_not_found') return null;
  throw error;
}
