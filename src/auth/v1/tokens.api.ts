import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiSecurity, ApiTags } from '../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors } from '../../http/v1/api-docs.js';
import { NewTokenDto, TokenListDto } from './dto/token.dto.js';

export const ApiTokens = () =>
  applyDecorators(
    ApiTags('tokens'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiErrors('access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

export const ApiCreateToken = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Make a token that may do no more than the one it is made with',
      description:
        'What is left out is taken from that one. The token is shown only once, and ends with the one that made it.',
    }),
    ApiOkResponse({ type: NewTokenDto }),
    ApiErrors('invalid_object', 'over_quota', 'payload_too_large', 'unsupported_content_type'),
  );

export const ApiListTokens = () =>
  applyDecorators(
    ApiOperation({
      summary: 'List the token itself and those made with it',
      description: 'An admin is shown all tokens of the tenant.',
    }),
    ApiOkResponse({ type: TokenListDto }),
  );

export const ApiRevokeToken = () =>
  applyDecorators(
    ApiOperation({ summary: 'Revoke a token, and those made with it, at once' }),
    ApiParam({ name: 'token_id', type: String, format: 'uuid' }),
    ApiOkResponse({ description: 'The token is revoked; the body is empty.' }),
    ApiErrors('token_not_found'),
  );
