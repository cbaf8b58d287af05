import { Controller, Get, Query, Req } from '@nestjs/common';
import { AdminOnly } from '../../auth/access.decorators.js';
import type { Caller } from '../../common/caller.js';
import { canonicalUuid } from '../../common/uuid.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { UseService } from '../use.service.js';
import {
  DEFAULT_TENANTS,
  type TenantListDto,
  TenantsQueryDto,
  toTenantDto,
  toUsageDto,
  type UsageDto,
  UsageQueryDto,
} from './dto/usage.dto.js';
import { ApiGetUsage, ApiListTenants, ApiUsage } from './usage.api.js';

@ApiUsage()
@Controller('v1')
export class UsageController {
  constructor(
    private readonly uses: UseService,
    private readonly absoluteUrl: AbsoluteUrl,
  ) {}

  @Get('usage')
  @ApiGetUsage()
  async usage(@Query() { domain_id }: UsageQueryDto, @CurrentCaller() caller: Caller): Promise<UsageDto> {
    // What is no id is the id of nothing.
    const zoneId = domain_id === undefined ? null : (canonicalUuid(domain_id) ?? '');
    return toUsageDto(await this.uses.of(caller, zoneId));
  }

  @Get('tenants')
  @AdminOnly()
  @ApiListTenants()
  async tenants(
    @Query() { limit = DEFAULT_TENANTS, marker = '' }: TenantsQueryDto,
    @Req() request: ApiRequest,
  ): Promise<TenantListDto> {
    const found = await this.uses.tenants(marker, limit);
    const linkFrom = (after: string): string => {
      const query = new URLSearchParams({ limit: String(limit), ...(after === '' ? {} : { marker: after }) });
      return this.absoluteUrl.of(request, `/v1/tenants?${query.toString()}`);
    };
    const last = found.length === limit ? found.at(-1) : undefined;
    const next = last === undefined ? {} : { next: linkFrom(last.tenantId) };
    return { tenants: found.map(toTenantDto), links: { self: linkFrom(marker), ...next } };
  }
}
