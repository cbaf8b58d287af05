import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import { AdminOnly } from '../../auth/access.decorators.js';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller } from '../../http/decorators.js';
import { ChangeQuotaDto, toQuotaChange } from './dto/change-quota.dto.js';
import { type QuotaDto, toQuotaDto } from './dto/quota.dto.js';
import { TenantIdPipe } from '../../auth/tenant-id.pipe.js';
import { ApiChangeQuota, ApiGetQuota, ApiQuotas, ApiResetQuota } from './quotas.api.js';
import { QuotasService } from '../quotas.service.js';

@ApiQuotas()
@AdminOnly()
@Controller(['admin/quotas', 'quotas'])
export class QuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Get(':tenant_id')
  @ApiGetQuota()
  async get(@Param('tenant_id', TenantIdPipe) tenantId: string): Promise<QuotaDto> {
    return toQuotaDto(await this.quotas.get(tenantId));
  }

  @Patch(':tenant_id')
  @ApiChangeQuota()
  async change(
    @Param('tenant_id', TenantIdPipe) tenantId: string,
    @Body() body: ChangeQuotaDto,
    @CurrentCaller() caller: Caller,
  ): Promise<QuotaDto> {
    return toQuotaDto(await this.quotas.change(tenantId, toQuotaChange(body), caller));
  }

  @Delete(':tenant_id')
  @HttpCode(204)
  @ApiResetQuota()
  async reset(@Param('tenant_id', TenantIdPipe) tenantId: string, @CurrentCaller() caller: Caller): Promise<void> {
    await this.quotas.reset(tenantId, caller);
  }
}
