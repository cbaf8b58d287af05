import { applyDecorators } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '../../http/openapi/decorators.js';
import { ApiErrors, ApiTenantOperations } from '../../http/v1/api-docs.js';
import { FlatQuotaDto } from './dto/flat-quota.dto.js';

export const ApiFlatQuotas = () => applyDecorators(ApiTags('quotas (version 1)'), ApiTenantOperations());

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
    ApiOkResponse({ description: 'The defaults apply again; the body is empty.' }),
  );
