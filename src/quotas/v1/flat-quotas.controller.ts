import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { AdminOnly } from '../../auth/access.decorators.js';
import { mayReadQuotas } from '../../auth/policy.js';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller } from '../../http/decorators.js';
import { ServiceError } from '../../common/service-error.js';
import { FlatQuotaDto, FlatQuotaChangeDto, fromFlatQuota, toFlatQuotaDto } from './dto/flat-quota.dto.js';
import { assertTenantId, TenantIdPipe } from '../../auth/tenant-id.pipe.js';
import { QuotasService } from '../quotas.service.js';
import { Operation, TenantOperations } from '../../http/v1/api-docs.js';

/** The flat form of the old client (behaviour 8.6). */
@TenantOperations('quotas (version 1)')
@Controller('v1/quotas')
export class FlatQuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Get(':tenant_id')
  @Operation({ summary: 'Get the limits of a tenant', response: FlatQuotaDto })
  async get(@Param('tenant_id') tenantId: string, @CurrentCaller() caller: Caller): Promise<FlatQuotaDto> {
    if (!mayReadQuotas(caller, tenantId))
      throw new ServiceError('forbidden', "Another tenant's quotas need the role admin.");
    assertTenantId(tenantId);
    return toFlatQuotaDto(await this.quotas.get(tenantId));
  }

  @Put(':tenant_id')
  @AdminOnly()
  @Operation({ summary: 'Change limits of a tenant', response: FlatQuotaDto, bodyErrors: [] })
  async change(
    @Param('tenant_id', TenantIdPipe) tenantId: string,
    @Body() body: FlatQuotaChangeDto,
    @CurrentCaller() caller: Caller,
  ) {
    return toFlatQuotaDto(await this.quotas.change(tenantId, fromFlatQuota(body), caller));
  }

  /** The old client uses PUT and POST for the same. */
  @Post(':tenant_id')
  @HttpCode(200)
  @AdminOnly()
  @Operation({ summary: 'Change limits of a tenant', response: FlatQuotaDto, bodyErrors: [] })
  changeByPost(
    @Param('tenant_id', TenantIdPipe) tenantId: string,
    @Body() body: FlatQuotaChangeDto,
    @CurrentCaller() caller: Caller,
  ) {
    return this.change(tenantId, body, caller);
  }

  @Delete(':tenant_id')
  @AdminOnly()
  @Operation({
    summary: 'Reset a tenant to the default limits',
    response: { description: 'The defaults apply again; the body is empty.' },
  })
  async reset(@Param('tenant_id', TenantIdPipe) tenantId: string, @CurrentCaller() caller: Caller): Promise<string> {
    await this.quotas.reset(tenantId, caller);
    return '';
  }
}
