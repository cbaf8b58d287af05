import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import { AdminOnly } from '../../auth/access.decorators.js';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller } from '../../http/decorators.js';
import { ChangeQuotaDto, toQuotaChange, QuotaDto, toQuotaDto } from './dto/quota.dto.js';
import { TenantIdPipe } from '../../auth/tenant-id.pipe.js';
import { QuotasService } from '../quotas.service.js';
import { Operation, TenantOperations } from '../../http/v1/api-docs.js';

@TenantOperations('quotas')
@AdminOnly()
@Controller(['admin/quotas', 'quotas'])
export class QuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Get(':tenant_id')
  @Operation({ summary: 'Get the limits of a tenant', response: QuotaDto })
  async get(@Param('tenant_id', TenantIdPipe) tenantId: string): Promise<QuotaDto> {
    return toQuotaDto(await this.quotas.get(tenantId));
  }

  @Patch(':tenant_id')
  @Operation({
    summary: 'Change limits of a tenant',
    description: 'The named limits change, all or none; the others stay. A limit below the use only stops growth.',
    response: QuotaDto,
    bodyErrors: [],
  })
  async change(
    @Param('tenant_id', TenantIdPipe) tenantId: string,
    @Body() body: ChangeQuotaDto,
    @CurrentCaller() caller: Caller,
  ): Promise<QuotaDto> {
    return toQuotaDto(await this.quotas.change(tenantId, toQuotaChange(body), caller));
  }

  @Delete(':tenant_id')
  @HttpCode(204)
  @Operation({
    summary: 'Reset a tenant to the default limits',
    response: { status: 204, description: 'The defaults apply again.' },
  })
  async reset(@Param('tenant_id', TenantIdPipe) tenantId: string, @CurrentCaller() caller: Caller): Promise<void> {
    await this.quotas.reset(tenantId, caller);
  }
}
