import { Controller, Get } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { CurrentCaller } from '../../http/decorators.js';
import { ApiOkResponse, ApiOperation } from '../../http/openapi/decorators.js';
import { V2Operations } from '../../http/v2/api-docs.js';
import { LimitsOptions } from '../quotas.options.js';
import { QuotasService } from '../quotas.service.js';
import { LimitsDto, toLimitsDto } from './dto/project-quota.dto.js';

@V2Operations('limits')
@Controller('v2/limits')
export class LimitsController {
  constructor(
    private readonly quotas: QuotasService,
    private readonly options: LimitsOptions,
  ) {}

  @Get()
  @ApiOperation({ summary: 'Get what limits the project that the caller acts for' })
  @ApiOkResponse({ type: LimitsDto })
  async get(@CurrentCaller() { tenantId }: Caller): Promise<LimitsDto> {
    return toLimitsDto(await this.quotas.get(tenantId), this.options.minTtl);
  }
}
