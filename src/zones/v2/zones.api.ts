import { applyDecorators } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiResponse } from '../../http/openapi/decorators.js';
import {
  ApiV2Body,
  ApiV2Collection,
  ApiV2Errors,
  ApiV2Id,
  ApiV2Operations,
  V2_LOCATION,
} from '../../http/v2/api-docs.js';
import type { CollectionRules } from '../../http/v2/collection-query.js';
import { NameServerListDto } from './dto/name-server.dto.js';
import { ZoneDto, ZoneListDto } from './dto/zone.dto.js';

/** The API description of zones, apart from the controllers, so that their methods stay readable. */
export const ApiZones = () => applyDecorators(ApiV2Operations('zones'));

/** What the list of zones can be asked for. */
export const ZONE_LIST: CollectionRules = {
  filters: ['name', 'type', 'email', 'status', 'description', 'ttl'],
  sortKeys: {
    created_at: 'created_at',
    id: 'id',
    updated_at: 'updated_at',
    name: 'name',
    tenant_id: 'tenant_id',
    serial: 'serial',
    ttl: 'ttl',
    status: 'status',
  },
};

export const ApiCreateZone = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'createZone',
      summary: 'Create a zone',
      description: 'The answer is `PENDING`; GET tells when every name server has the zone.',
    }),
    ApiResponse({ status: 202, type: ZoneDto, headers: V2_LOCATION }),
    ApiV2Body('invalid_zone_name', 'invalid_ttl', 'inside_foreign_zone', 'contains_foreign_zone'),
    ApiV2Errors('duplicate_zone', 'duplicate_master', 'over_quota'),
  );

export const ApiListZones = () =>
  applyDecorators(
    ApiOperation({ operationId: 'listZones', summary: 'List zones' }),
    ApiV2Collection(ZONE_LIST),
    ApiOkResponse({ type: ZoneListDto }),
  );

export const ApiGetZone = () =>
  applyDecorators(
    ApiOperation({ operationId: 'getZone', summary: 'Get a zone' }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiOkResponse({ type: ZoneDto }),
  );

export const ApiUpdateZone = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'updateZone',
      summary: 'Update a zone',
      description: 'Fields that are left out keep their values.',
    }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiResponse({ status: 202, type: ZoneDto }),
    ApiV2Body('invalid_ttl', 'duplicate_master'),
  );

export const ApiDeleteZone = () =>
  applyDecorators(
    ApiOperation({ operationId: 'deleteZone', summary: 'Delete a zone and its record sets' }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiResponse({ status: 202, type: ZoneDto }),
    ApiV2Errors('zone_has_child_zones', 'zone_is_shared'),
  );

export const ApiListNameServers = () =>
  applyDecorators(
    ApiOperation({ operationId: 'listNameServers', summary: 'List the name servers of a zone' }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiOkResponse({ type: NameServerListDto }),
  );

export const ApiAbandonZone = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'abandonZone',
      summary: 'Forget a zone',
      description:
        'For admins. The zone is gone here; name servers keep their copy of it until a zone of its name is made again.',
    }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiNoContentResponse({ description: 'The zone is gone.' }),
    ApiV2Errors('zone_has_child_zones', 'zone_is_shared'),
  );

export const ApiTransferZone = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'transferZone',
      summary: 'Ask the masters of a secondary zone for its records',
      description: 'This happens soon; `transferred_at` and `serial` show the result.',
    }),
    ApiV2Id('zone_id', 'zone_not_found'),
    ApiResponse({ status: 202, description: 'The masters will be asked.', schema: { type: 'string', example: '' } }),
    ApiV2Errors('change_not_allowed'),
  );
