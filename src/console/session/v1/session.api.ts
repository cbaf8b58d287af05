import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiTags } from '../../../http/openapi/decorators.js';
import { ApiErrors } from '../../../http/v1/api-docs.js';
import { SessionDto, SignedOutDto } from './dto/session.dto.js';

export const ApiSession = () =>
  applyDecorators(ApiTags('session'), ApiErrors('unsupported_accept', 'rate_limited', 'unknown', 'unavailable'));

export const ApiShowSession = () =>
  applyDecorators(
    ApiOperation({ summary: 'Say whether the browser has a session, and how to sign in' }),
    ApiOkResponse({ type: SessionDto }),
  );

export const ApiOpenSession = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'openSession',
      summary: 'Sign in, by a token or by a password of Keystone',
      description: 'For pages of the service alone. The answer sets a cookie that scripts cannot read.',
    }),
    ApiOkResponse({ type: SessionDto }),
    ApiErrors('access_denied', 'invalid_object', 'payload_too_large', 'unsupported_content_type'),
  );

export const ApiEndSession = () =>
  applyDecorators(
    ApiOperation({ summary: 'Sign out' }),
    ApiHeader({ name: 'X-CSRF-Token', description: 'The `csrf_token` of the session.', required: true }),
    ApiOkResponse({ type: SignedOutDto, description: 'There is no session any more.' }),
    ApiErrors('access_denied'),
  );
