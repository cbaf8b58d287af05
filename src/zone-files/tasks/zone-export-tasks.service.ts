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

/** A task stores a point in history. The text is rendered when the client fetches it, so a task takes no disk space. */
@Injectable()
export class ZoneExportTasksService {
  constructor(
    private readonly tasks: ZoneTasksService,
    private readonly zones: ZoneRepository,
    private readonly exports: ZoneExportService,
    private readonly limits: ExportLimits,
  ) {}

  /** The next GET shows the export complete. */
  async begin(zoneId: string, caller: Caller): Promise<ZoneTaskEntity> {
    const zone = await this.zones.find(zoneId, caller);
    await this.limits.assertExportAllowed(zone.tenantId, zone.recordCount);
    const draft = this.tasks.draft('export', caller);
    const begun: ZoneTaskEntity = { ...draft, zoneId, zoneVersion: zone.version, serial: zone.serial };
    await this.tasks.store({ ...begun, status: 'COMPLETE', version: 2, updatedAt: begun.createdAt }, caller);
    return begun;
  }

  /** Only the tag if the client has the text. Throws `zone_not_found` if the zone was deleted. */
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
