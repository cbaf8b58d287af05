import { applyDecorators } from '@nestjs/common';
import {
  ApiBody,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiSecurity,
  ApiTags,
} from '../../http/openapi/decorators.js';
import { ApiIfNoneMatch, ENTITY_TAG } from '../../http/openapi/entity-tags.js';
import { ApiAdminHeaders, ApiErrors, ApiIdempotencyKey, ApiIfMatch } from '../../http/v1/api-docs.js';
import { STANDARD_TYPES } from '../../dns/rdata/index.js';
import { CreateRecordDto } from './dto/create-record.dto.js';
import { ListRecordsQueryDto } from './dto/list-records-query.dto.js';
import { RecordDto } from './record.mapper.js';
import { RecordListDto } from './dto/record-list.dto.js';
import { ApiShowsFields } from './shows-fields.decorator.js';
import { UpdateRecordDto } from './dto/update-record.dto.js';

/** The API description of records, apart from the controller, so that its methods stay readable. */
export const ApiRecords = () =>
  applyDecorators(
    ApiTags('records'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiParam({ name: 'domain_id', type: String, format: 'uuid' }),
    ApiErrors('access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

const recordId = () => ApiParam({ name: 'id', type: String, format: 'uuid' });

/** The example of each record type. */
const examples = Object.fromEntries(
  STANDARD_TYPES.map(({ name, rfc, priority, example }) => {
    const { name: owner, data } = example;
    const value = { name: owner, type: name, data, ...(priority === 'required' ? { priority: example.priority } : {}) };
    return [name, { summary: `${name}, ${rfc}`, value }];
  }),
);

export const ApiCreateRecord = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Create a record',
      description: 'One operation for every type; the examples show the form of `data` that each asks for.',
    }),
    ApiBody({ type: CreateRecordDto, examples }),
    ApiShowsFields(),
    ApiOkResponse({
      type: RecordDto,
      headers: { Location: { description: 'Absolute URL of the new record.', schema: { type: 'string' } } },
    }),
    ApiErrors('invalid_object', 'change_not_allowed', 'invalid_location', 'invalid_ttl', 'zone_not_found'),
    ApiIdempotencyKey(),
    ApiErrors('duplicate_record', 'signing_conflict', 'request_in_progress', 'over_quota'),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
  );

export const ApiListRecords = () =>
  applyDecorators(
    ApiOperation({
      summary: 'List the records of a domain',
      description: 'Complete, in the order of creation, unless `limit` is sent; then `links.next` leads on.',
    }),
    ApiQuery({ type: ListRecordsQueryDto }),
    ApiOkResponse({ type: RecordListDto }),
    ApiErrors('invalid_object', 'zone_not_found'),
  );

export const ApiGetRecord = () =>
  applyDecorators(
    ApiOperation({ summary: 'Get a record' }),
    recordId(),
    ApiShowsFields(),
    ApiIfNoneMatch(),
    ApiOkResponse({ type: RecordDto, headers: ENTITY_TAG }),
    ApiErrors('invalid_object', 'zone_not_found', 'record_not_found'),
  );

export const ApiUpdateRecord = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Update a record',
      description:
        'Fields that are left out keep their values; null clears ttl, description and expires_at. The type stays.',
    }),
    ApiBody({ type: UpdateRecordDto }),
    recordId(),
    ApiShowsFields(),
    ApiIfMatch(),
    ApiOkResponse({ type: RecordDto, headers: ENTITY_TAG }),
    ApiErrors('invalid_object', 'change_not_allowed', 'invalid_location', 'invalid_ttl'),
    ApiErrors('zone_not_found', 'record_not_found', 'duplicate_record', 'over_quota', 'payload_too_large'),
    ApiErrors('unsupported_content_type'),
  );

export const ApiDeleteRecord = () =>
  applyDecorators(
    ApiOperation({ summary: 'Delete a record' }),
    recordId(),
    ApiIfMatch(),
    ApiOkResponse({ description: 'The record is deleted; the body is empty.' }),
    ApiErrors('zone_not_found', 'record_not_found'),
  );
