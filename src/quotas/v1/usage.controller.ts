import { Controller, Get, Query, Req } from '@nestjs/common';
import { AdminOnly } from '../../auth/access.decorators.js';
import type { Caller } from '../../common/caller.js';
import { canonicalUuid } from '../../common/uuid.js';
import { AbsoluteUrl } from '../../http/absolute-url.js';
import { CurrentCaller } from '../../http/decorators.js';
import type { ApiRequest } from '../../http/request.js';
import { UseService } from '../quotas.service.js';
import {
  DEFAULT_TENANTS,
  TenantListDto,
  TenantsQueryDto,
  toTenantDto,
  toUsageDto,
  UsageDto,
  UsageQueryDto,
} from './dto/usage.dto.js';
import { ApiAdminHeaders, Operation, Operations } from '../../http/v1/api-docs.js';

@Operations('usage', { errors: ['invalid_object'], hasAdminHeaders: false })
@Controller('v1')
export class UsageController {
  constructor(
    private readonly uses: UseService,
    private readonly absoluteUrl: AbsoluteUrl,
  ) {}

  @Get('usage')
  @Operation({
    id: 'getUsage',
    summary: 'Show what a tenant has of what it may have',
    description: 'With `domain_id` the records of that domain are counted, against the limits of its owner.',
    parameters: [ApiAdminHeaders()],
    response: UsageDto,
    errors: ['zone_not_found'],
  })
  async usage(@Query() { domain_id }: UsageQueryDto, @CurrentCaller() caller: Caller): Promise<UsageDto> {
    // An invalid id matches no zone.
    const zoneId = domain_id === undefined ? null : (canonicalUuid(domain_id) ?? '');
    return toUsageDto(await this.uses.of(caller, zoneId));
  }

  @Get('tenants')
  @AdminOnly()
  @Operation({
    id: 'listTenants',
    summary: 'List the tenants that have domains or tokens, or had domains',
    description: 'For admins.',
    response: TenantListDto,
  })
  async tenants(
    @Query() { limit = DEFAULT_TENANTS, marker = '', prefix = '' }: TenantsQueryDto,
    @Req() request: ApiRequest,
  ): Promise<TenantListDto> {
    const found = await this.uses.tenants(marker, prefix, limit);
    const linkFrom = (after: string): string => {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(prefix !== '' && { prefix }),
        ...(after !== '' && { marker: after }),
      });
      return this.absoluteUrl.of(request, `/v1/tenants?${query.toString()}`);
    };
    const last = found.length === limit ? found.at(-1) : undefined;
    const next = last === undefined ? {} : { next: linkFrom(last.tenantId) };
    return { tenants: found.map(toTenantDto), links: { self: linkFrom(marker), ...next } };
  }
}
