import { applyDecorators } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '../../http/openapi/decorators.js';
import { ApiErrors, ApiTenantOperations } from '../../http/v1/api-docs.js';
import { QuotaDto } from './dto/quota.dto.js';

export const ApiQuotas = () => applyDecorators(ApiTags('quotas'), ApiTenantOperations());

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
    ApiNoContentResponse({ description: 'The defaults apply again.' }),
  );
