import { applyDecorators } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiParam, ApiSecurity, ApiTags } from '../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors, ApiIdempotencyKey, ApiIfMatch } from '../../http/v1/api-docs.js';
import { ChangeSetDto } from './dto/change-set.dto.js';
import { DoneChangeSetDto } from './done-change-set.mapper.js';

const ID = '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d';
const OTHER_ID = '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4e';
const CNAME = { name: 'www.example.org.', type: 'CNAME', data: 'web.example.net.' };

const examples = {
  'CNAME instead of A': {
    summary: 'Move a name from an address to a CNAME',
    value: {
      changes: [
        { action: 'delete', id: ID },
        { action: 'create', record: CNAME },
      ],
    },
  },
  'swapped names': {
    summary: 'Let two records exchange their names',
    value: {
      changes: [
        { action: 'update', id: ID, record: { name: 'b.example.org.' } },
        { action: 'update', id: OTHER_ID, record: { name: 'a.example.org.' } },
      ],
    },
  },
  'a record set': {
    summary: 'Replace all addresses of a name',
    value: {
      changes: [
        {
          action: 'replace',
          name: 'www.example.org.',
          type: 'A',
          records: [{ data: '192.0.2.3' }, { data: '192.0.2.4' }],
        },
      ],
    },
  },
};

/** The API description of change sets, apart from the controller, so that its method stays readable. */
export const ApiChanges = () =>
  applyDecorators(
    ApiTags('records'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiParam({ name: 'domain_id', type: String, format: 'uuid' }),
    ApiErrors('access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

export const ApiChangeRecords = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'changeRecords',
      summary: 'Change several records at once',
      description:
        'All of it or nothing, with one serial. Only the resulting records have to obey the rules, not the steps in between.' +
        ' A refusal names every entry at fault.',
    }),
    ApiBody({ type: ChangeSetDto, examples }),
    ApiOkResponse({ type: DoneChangeSetDto }),
    ApiErrors('invalid_object', 'change_not_allowed', 'invalid_location', 'invalid_ttl'),
    ApiIdempotencyKey(),
    ApiIfMatch(),
    ApiErrors(
      'zone_not_found',
      'record_not_found',
      'duplicate_record',
      'request_in_progress',
      'over_quota',
      'payload_too_large',
    ),
    ApiErrors('unsupported_content_type'),
  );
