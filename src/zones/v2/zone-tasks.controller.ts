import { Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { AdminOnly } from '../../auth/access.decorators.js';
import type { Caller } from '../../common/caller.js';
import { BodyOptional } from '../../http/bodies/media-types.js';
import { CurrentCaller } from '../../http/decorators.js';
import { V2Id } from '../../http/v2/parameters.js';
import { ZonesService } from '../zones.service.js';
import { V2Operation, V2Operations } from '../../http/v2/api-docs.js';

@V2Operations('zones')
@Controller('v2/zones/:zone_id/tasks')
export class ZoneTasksController {
  constructor(private readonly zones: ZonesService) {}

  @Post('abandon')
  @AdminOnly()
  @BodyOptional()
  @HttpCode(204)
  @V2Operation({
    id: 'abandonZone',
    summary: 'Forget a zone',
    description:
      'For admins. The zone is gone here; name servers keep their copy of it until a zone of its name is made again.',
    ids: { zone_id: 'zone_not_found' },
    response: { status: 204, description: 'The zone is gone.' },
    errors: ['zone_has_child_zones', 'zone_is_shared'],
  })
  async abandon(@V2Id('zone_id') id: string, @CurrentCaller() caller: Caller): Promise<void> {
    await this.zones.abandon(id, caller);
  }

  @Post('xfr')
  @BodyOptional()
  @HttpCode(202)
  @V2Operation({
    id: 'transferZone',
    summary: 'Ask the masters of a secondary zone for its records',
    description: 'This happens soon; `transferred_at` and `serial` show the result.',
    ids: { zone_id: 'zone_not_found' },
    response: { status: 202, description: 'The masters will be asked.', schema: { type: 'string', example: '' } },
    errors: ['change_not_allowed'],
  })
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
