import { applyDecorators } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiParam, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { ApiErrors } from '../common/http/api-docs.js';
import { FlatQuotaDto } from './dto/flat-quota.dto.js';
import { QuotaDto } from './dto/quota.dto.js';

const ofTenants = () =>
  applyDecorators(
    ApiSecurity('token'),
    ApiParam({ name: 'tenant_id', type: String, description: 'Any string up to 255 characters.' }),
    ApiErrors('invalid_object', 'access_denied', 'unsupported_accept', 'unknown', 'unavailable'),
  );

export const ApiQuotas = () => applyDecorators(ApiTags('quotas'), ofTenants());

export const ApiGetQuota = () =>
  applyDecorators(ApiOperation({ summary: 'Get the limits of a tenant' }), ApiOkResponse({ type: QuotaDto }));

export const ApiChangeQuota = () =>
  applyDecorators(
    ApiOperation({
      summary: 'Change limits of a tenant',
      description: 'The named limits change, all or none; the others stay. A limit below the use only stops growth.',
    }),
    ApiOkResponse({ type: QuotaDto }),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
  );

export const ApiResetQuota = () =>
  applyDecorators(
    ApiOperation({ summary: 'Reset a tenant to the default limits' }),
    ApiNoContentResponse({ description: 'The defaults hold again.' }),
  );

export const ApiFlatQuotas = () => applyDecorators(ApiTags('quotas (version 1)'), ofTenants());

export const ApiGetFlatQuota = () =>
  applyDecorators(ApiOperation({ summary: 'Get the limits of a tenant' }), ApiOkResponse({ type: FlatQuotaDto }));

export const ApiChangeFlatQuota = () =>
  applyDecorators(
    ApiOperation({ summary: 'Change limits of a tenant' }),
    ApiOkResponse({ type: FlatQuotaDto }),
    ApiErrors('payload_too_large', 'unsupported_content_type'),
  );

export const ApiResetFlatQuota = () =>
  applyDecorators(
    ApiOperation({ summary: 'Reset a tenant to the default limits' }),
    ApiOkResponse({ description: 'The defaults hold again; the body is empty.' }),
  );
