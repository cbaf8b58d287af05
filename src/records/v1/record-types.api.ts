import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '../../http/openapi/decorators.js';
import { ApiIfNoneMatch, ENTITY_TAG } from '../../http/openapi/entity-tags.js';
import { ApiErrors } from '../../http/v1/api-docs.js';
import { RecordTypesDto } from './record-types.mapper.js';

export const ApiRecordTypes = () =>
  applyDecorators(
    ApiTags('records'),
    ApiSecurity('token'),
    ApiErrors('access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

export const ApiListRecordTypes = () =>
  applyDecorators(
    ApiOperation({
      summary: 'List the record types, with the fields of their data',
      description:
        'Those of plugins too, and without those that are switched off. It changes with the configuration only.',
    }),
    ApiIfNoneMatch(),
    ApiOkResponse({ type: RecordTypesDto, headers: ENTITY_TAG }),
  );
