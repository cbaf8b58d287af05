import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { WITH_DIRECTIVES } from '../export/export-form.js';
import { ExportLimits } from '../export/export-limits.js';
import { ZoneExportService } from '../export/zone-export.service.js';
import type { ZoneText } from '../export/zone-text.js';
import type { ZoneTaskEntity } from './zone-task.entity.js';
import { ZoneTasksService } from './zone-tasks.service.js';

/**
 * Exports to be fetched later. Such an export is a moment of the zone, which is remembered, and the text is made of it when
 * it is fetched: there is nothing to wait for, and an export takes no room.
 */
@Injectable()
export class ZoneExportTasksService {
  constructor(
    private readonly tasks: ZoneTasksService,
    private readonly zones: ZoneRepository,
    private readonly exports: ZoneExportService,
    private readonly limits: ExportLimits,
  ) {}

  /**
   * Begins an export of the zone as it is now; whoever looks again finds it complete.
   * @throws ServiceError `zone_not_found`, `over_quota`, `rate_limited`
   */
  async begin(zoneId: string, caller: Caller): Promise<ZoneTaskEntity> {
    const zone = await this.zones.find(zoneId, caller);
    await this.limits.assertExportAllowed(zone.tenantId, zone.recordCount);
    const draft = this.tasks.draft('export', caller);
    const begun: ZoneTaskEntity = { ...draft, zoneId, zoneVersion: zone.version, serial: zone.serial };
    await this.tasks.store({ ...begun, status: 'COMPLETE', version: 2, updatedAt: begun.createdAt }, caller);
    return begun;
  }

  /**
   * The text of an export, or its tag where the reader has it already.
   * @param gone ends the work where nobody waits for it any more
   * @throws ServiceError `zone_export_not_found`; `zone_not_found` where the zone has been deleted since; `over_quota`,
   *   `unavailable`
   */
  async readUnlessKnown(
    id: string,
    isKnown: (tag: string) => boolean,
    caller: Caller,
    gone: AbortSignal,
  ): Promise<ZoneText | string> {
    const { zoneId, zoneVersion: number, serial } = await this.tasks.get('export', id, caller);
    if (zoneId === null || number === null || serial === null)
      throw new ServiceError('zone_export_not_found', 'Could not find ZoneExport');
    const request = { zoneId, moment: { number, serial }, form: WITH_DIRECTIVES, isKnown };
    return this.exports.exportUnlessKnown(request, caller, gone);
  }
}
