import { applyDecorators } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiResponse } from '../../http/openapi/decorators.js';
import { ApiV2Body, ApiV2Collection, ApiV2Errors, ApiV2Id } from '../../http/v2/api-docs.js';
import type { CollectionRules } from '../../http/v2/collection-query.js';
import { ZoneShareDto, ZoneShareListDto } from './dto/zone-share.dto.js';

export const SHARE_LIST: CollectionRules = {
  filters: ['target_project_id'],
  sortKeys: { created_at: 'created_at', id: 'id', updated_at: 'created_at' },
};

export const ApiCreateZoneShare = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Share a zone',
      description: 'The other project sees the zone, and puts record sets of its own into it.',
    }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiV2Body('change_not_allowed', 'duplicate_share'),
    ApiResponse({ status: 201, type: ZoneShareDto, description: 'It is shared.' }),
  );

export const ApiListZoneShares = () =>
  applyDecorators(
    ApiOperation({ summary: 'List with whom a zone is shared' }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiV2Collection(SHARE_LIST),
    ApiOkResponse({ type: ZoneShareListDto }),
  );

export const ApiGetZoneShare = () =>
  applyDecorators(
    ApiOperation({ summary: 'Get a share' }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiV2Id('share_id', 'share_not_found'),
    ApiV2Errors('zone_not_found', 'share_not_found'),
    ApiOkResponse({ type: ZoneShareDto }),
  );

export const ApiDeleteZoneShare = () =>
  applyDecorators(
    ApiOperation({ summary: 'End a share', description: 'When the other project has no record sets in the zone.' }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiV2Id('share_id', 'share_not_found'),
    ApiV2Errors('zone_not_found', 'share_not_found'),
    ApiV2Errors('invalid_uuid', 'shared_zone_has_record_sets'),
    ApiNoContentResponse({ description: 'It is ended.' }),
  );
