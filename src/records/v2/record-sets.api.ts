import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiResponse } from '../../http/openapi/decorators.js';
import {
  ApiV2Body,
  ApiV2Collection,
  ApiV2Errors,
  ApiV2Id,
  ApiV2Operations,
  V2_LOCATION,
} from '../../http/v2/api-docs.js';
import type { CollectionRules } from '../../http/v2/collection-query.js';
import { CreateRecordSetDto } from './dto/create-record-set.dto.js';
import { RecordSetDto, RecordSetListDto } from './dto/record-set.dto.js';

/** The API description of record sets, apart from the controllers, so that their methods stay readable. */
export const ApiRecordSets = () => applyDecorators(ApiV2Operations('recordsets'));

const SORT_KEYS = {
  created_at: 'created_at',
  updated_at: 'updated_at',
  zone_id: 'zone_id',
  tenant_id: 'tenant_id',
  name: 'name',
  type: 'type',
  ttl: 'ttl',
};

/** What the list of all zones can be asked for. */
export const ALL_RECORD_SETS: CollectionRules = {
  filters: ['name', 'type', 'ttl', 'data', 'status', 'description'],
  sortKeys: SORT_KEYS,
};

/** What the list of a zone can be asked for. */
export const RECORD_SETS: CollectionRules = { ...ALL_RECORD_SETS, sortKeys: { ...SORT_KEYS, id: 'id' } };

const inZone = () => ApiV2Id('zone_id', 'zone_not_found');
const ofSet = () => applyDecorators(inZone(), ApiV2Id('recordset_id', 'record_set_not_found'));

export const ApiCreateRecordSet = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'createRecordSet',
      summary: 'Create a record set',
      description: 'The answer is `PENDING`; GET tells when every name server has it.',
    }),
    inZone(),
    ApiBody({ type: CreateRecordSetDto }),
    ApiResponse({ status: 201, type: RecordSetDto, headers: V2_LOCATION, description: 'It has no records.' }),
    ApiResponse({ status: 202, type: RecordSetDto, headers: V2_LOCATION }),
    ApiV2Body('change_not_allowed', 'invalid_location', 'invalid_ttl'),
    ApiV2Errors('secondary_zone', 'duplicate_record_set', 'over_quota'),
  );

export const ApiListRecordSets = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'listRecordSets',
      summary: 'List the record sets of a zone',
      description: 'SOA and NS of the apex, which the service makes, are among them.',
    }),
    inZone(),
    ApiV2Collection(RECORD_SETS),
    ApiOkResponse({ type: RecordSetListDto }),
  );

export const ApiListAllRecordSets = () =>
  applyDecorators(
    ApiOperation({ operationId: 'listAllRecordSets', summary: 'List the record sets of all zones' }),
    ApiV2Collection(ALL_RECORD_SETS),
    ApiOkResponse({ type: RecordSetListDto }),
  );

export const ApiFindRecordSet = () =>
  applyDecorators(
    ApiOperation({ operationId: 'findRecordSet', summary: 'Find the zone of a record set' }),
    ApiV2Id('recordset_id', 'record_set_not_found'),
    ApiResponse({
      status: 301,
      description: 'The record set is at `Location`.',
      headers: { Location: { schema: { type: 'string' } } },
    }),
  );

export const ApiGetRecordSet = () =>
  applyDecorators(
    ApiOperation({ operationId: 'getRecordSet', summary: 'Get a record set' }),
    ofSet(),
    ApiOkResponse({ type: RecordSetDto }),
  );

export const ApiUpdateRecordSet = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'updateRecordSet',
      summary: 'Update a record set',
      description: 'What is left out stays. `records` are all records of the set; none leaves it empty, and unserved.',
    }),
    ofSet(),
    ApiOkResponse({ type: RecordSetDto, description: 'It has no records.' }),
    ApiResponse({ status: 202, type: RecordSetDto }),
    ApiV2Body('change_not_allowed', 'invalid_location', 'invalid_ttl'),
    ApiV2Errors('secondary_zone', 'over_quota'),
  );

export const ApiDeleteRecordSet = () =>
  applyDecorators(
    ApiOperation({ operationId: 'deleteRecordSet', summary: 'Delete a record set with its records' }),
    ofSet(),
    ApiResponse({ status: 202, type: RecordSetDto, description: 'The record set as it was.' }),
    ApiV2Errors('change_not_allowed', 'secondary_zone'),
  );
