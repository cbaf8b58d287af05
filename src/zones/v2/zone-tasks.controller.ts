import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AdminOnly } from '../../auth/access.decorators.js';
import type { Caller } from '../../common/caller.js';
import { BodyOptional } from '../../http/bodies/media-types.js';
import { CurrentCaller } from '../../http/decorators.js';
import { V2Id } from '../../http/v2/path-uuid.js';
import { ZonesService } from '../zones.service.js';
import { ApiAbandonZone, ApiTransferZone, ApiZones } from './zones.api.js';

/** What can be asked of a zone once, without a body. */
@ApiZones()
@Controller('v2/zones/:zone_id/tasks')
export class ZoneTasksController {
  constructor(private readonly zones: ZonesService) {}

  @Post('abandon')
  @AdminOnly()
  @BodyOptional()
  @HttpCode(204)
  @ApiAbandonZone()
  async abandon(@V2Id('zone_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    await this.zones.abandon(id, caller);
  }

  @Post('xfr')
  @BodyOptional()
  @HttpCode(202)
  @ApiTransferZone()
  async transfer(
    @V2Id('zone_id') id: string,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    await this.zones.askMasters(id, caller);
    response.type('application/json');
    return '""';
  }
}
