import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import { AdminOnly } from '../../auth/access.decorators.js';
import { mayReachQuotas } from '../../auth/policy.js';
import { assertTenantId, TenantIdPipe } from '../../auth/tenant-id.pipe.js';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { CurrentCaller } from '../../http/decorators.js';
import { ApiV2Operations } from '../../http/v2/api-docs.js';
import { QuotasService } from '../quotas.service.js';
import {
  ProjectQuotaChangeDto,
  type ProjectQuotaDto,
  toProjectQuotaDto,
  toQuotaChange,
} from './dto/project-quota.dto.js';
import {
  ApiChangeProjectQuota,
  ApiGetOwnQuota,
  ApiGetProjectQuota,
  ApiResetProjectQuota,
} from './project-quotas.api.js';

/** Quotas in the form of version 2: without a wrapper, and with limits that are none. */
@ApiV2Operations('quotas')
@Controller('v2/quotas')
export class ProjectQuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Get()
  @ApiGetOwnQuota()
  async getOwn(@CurrentCaller() { tenantId }: Caller): Promise<ProjectQuotaDto> {
    return toProjectQuotaDto(await this.quotas.get(tenantId));
  }

  @Get(':project_id')
  @ApiGetProjectQuota()
  async get(@Param('project_id') projectId: string, @CurrentCaller() caller: Caller): Promise<ProjectQuotaDto> {
    assertInReach(caller, projectId);
    assertTenantId(projectId);
    return toProjectQuotaDto(await this.quotas.get(projectId));
  }

  @Patch(':project_id')
  @AdminOnly()
  @ApiChangeProjectQuota()
  async change(
    @Param('project_id', TenantIdPipe) projectId: string,
    @Body() body: ProjectQuotaChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<ProjectQuotaDto> {
    assertInReach(caller, projectId);
    return toProjectQuotaDto(await this.quotas.change(projectId, toQuotaChange(body), caller));
  }

  /** Unlike a change, it is any admin's for every project: clients of the original send no header for it. */
  @Delete(':project_id')
  @HttpCode(204)
  @AdminOnly()
  @ApiResetProjectQuota()
  reset(@Param('project_id', TenantIdPipe) projectId: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.quotas.reset(projectId, caller);
  }
}

function assertInReach(caller: Caller, projectId: string): void {
  if (mayReachQuotas(caller, projectId)) return;
  const message = "Another project's quotas need X-Auth-All-Projects, or X-Auth-Sudo-Project-ID with that project.";
  throw new ServiceError('forbidden', message);
}
