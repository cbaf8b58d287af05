import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors } from '../../http/v1/api-docs.js';
import { WhoamiDto } from './dto/whoami.dto.js';

export const ApiWhoami = () =>
  applyDecorators(
    ApiTags('tokens'),
    ApiSecurity('token'),
    ApiAdminHeaders(),
    ApiErrors('access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

export const ApiGetWhoami = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'whoami',
      summary: 'Say who the credential stands for, what it may do, and what the service offers',
    }),
    ApiOkResponse({ type: WhoamiDto }),
  );
