import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiSecurity, ApiTags } from '../../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors } from '../../../http/v1/api-docs.js';
import { NewUpdateKeyDto, UpdateKeyListDto } from './dto/update-key.dto.js';

export const ApiUpdateKeys = () =>
  applyDecorators(
    ApiTags('update keys'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiErrors('access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

export const ApiCreateUpdateKey = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Make a TSIG key that updates zones over DNS',
      description: 'It is limited as tokens are. The secret is shown only once.',
    }),
    ApiOkResponse({ type: NewUpdateKeyDto }),
    ApiErrors('invalid_object', 'duplicate_update_key', 'over_quota', 'payload_too_large', 'unsupported_content_type'),
  );

export const ApiListUpdateKeys = () =>
  applyDecorators(
    ApiOperation({ summary: 'List the update keys of the tenant, without their secrets' }),
    ApiOkResponse({ type: UpdateKeyListDto }),
  );

export const ApiRevokeUpdateKey = () =>
  applyDecorators(
    ApiOperation({ summary: 'Revoke an update key at once' }),
    ApiParam({ name: 'update_key_id', type: String, format: 'uuid' }),
    ApiOkResponse({ description: 'The key is revoked; the body is empty.' }),
    ApiErrors('update_key_not_found'),
  );
