import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiSecurity, ApiTags } from '../../http/openapi/decorators.js';
import { ApiAdminHeaders, ApiErrors } from '../../http/v1/api-docs.js';
import { TenantListDto, UsageDto } from './dto/usage.dto.js';

export const ApiUsage = () =>
  applyDecorators(
    ApiTags('usage'),
    ApiSecurity('token'),
    ApiErrors('invalid_object', 'access_denied', 'unsupported_accept', 'rate_limited', 'unknown', 'unavailable'),
  );

export const ApiGetUsage = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'getUsage',
      summary: 'Show what a tenant has of what it may have',
      description: 'With `domain_id` the records of that domain are counted, against the limits of its owner.',
    }),
    ApiAdminHeaders(),
    ApiOkResponse({ type: UsageDto }),
    ApiErrors('zone_not_found'),
  );

export const ApiListTenants = () =>
  applyDecorators(
    ApiOperation({
      operationId: 'listTenants',
      summary: 'List the tenants that have domains, or had some',
      description: 'For admins.',
    }),
    ApiOkResponse({ type: TenantListDto }),
  );
