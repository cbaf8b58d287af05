import { Body, Controller, Delete, Get, HttpCode, Param, Patch } from '@nestjs/common';
import { AdminOnly } from '../../auth/access.decorators.js';
import { mayReachQuotas } from '../../auth/policy.js';
import { assertTenantId, TenantIdPipe } from '../../auth/tenant-id.pipe.js';
import type { Caller } from '../../common/caller.js';
import { ServiceError } from '../../common/service-error.js';
import { CurrentCaller } from '../../http/decorators.js';
import { QuotasService } from '../quotas.service.js';
import { ProjectQuotaChangeDto, ProjectQuotaDto, toProjectQuotaDto, toQuotaChange } from './dto/project-quota.dto.js';
import { ApiParam } from '../../http/openapi/decorators.js';
import { V2Operation, V2Operations } from '../../http/v2/api-docs.js';

/** Without a wrapper; limits may be unlimited. */
@V2Operations('quotas')
@Controller('v2/quotas')
export class ProjectQuotasController {
  constructor(private readonly quotas: QuotasService) {}

  @Get()
  @V2Operation({ summary: 'Get the limits of the project that the caller acts for', response: ProjectQuotaDto })
  async getOwn(@CurrentCaller() { tenantId }: Caller): Promise<ProjectQuotaDto> {
    return toProjectQuotaDto(await this.quotas.get(tenantId));
  }

  @Get(':project_id')
  @V2Operation({
    summary: 'Get the limits of a project',
    description: "Another project's for admins who act for it or for all projects.",
    parameters: [ApiParam({ name: 'project_id', type: String, description: '1 to 255 characters.' })],
    response: ProjectQuotaDto,
    errors: ['invalid_object'],
  })
  async get(@Param('project_id') projectId: string, @CurrentCaller() caller: Caller): Promise<ProjectQuotaDto> {
    assertInReach(caller, projectId);
    assertTenantId(projectId);
    return toProjectQuotaDto(await this.quotas.get(projectId));
  }

  @Patch(':project_id')
  @AdminOnly()
  @V2Operation({
    summary: 'Change limits of a project',
    description: 'The named limits change, all or none; the others stay. A limit below the use only stops growth.',
    parameters: [ApiParam({ name: 'project_id', type: String, description: '1 to 255 characters.' })],
    response: ProjectQuotaDto,
    bodyErrors: [],
  })
  async change(
    @Param('project_id', TenantIdPipe) projectId: string,
    @Body() body: ProjectQuotaChangeDto,
    @CurrentCaller() caller: Caller,
  ): Promise<ProjectQuotaDto> {
    assertInReach(caller, projectId);
    return toProjectQuotaDto(await this.quotas.change(projectId, toQuotaChange(body), caller));
  }

  /** Any admin may delete quotas of every project: Designate clients send no header for it, unlike for a change. */
  @Delete(':project_id')
  @HttpCode(204)
  @AdminOnly()
  @V2Operation({
    summary: 'Reset a project to the default limits',
    parameters: [ApiParam({ name: 'project_id', type: String, description: '1 to 255 characters.' })],
    response: { status: 204, description: 'The defaults apply again.' },
    errors: ['invalid_object'],
  })
  reset(@Param('project_id', TenantIdPipe) projectId: string, @CurrentCaller() caller: Caller): Promise<void> {
    return this.quotas.reset(projectId, caller);
  }
}

function assertInReach(caller: Caller, projectId: string): void {
  if (mayReachQuotas(caller, projectId)) return;
  const message = "Another project's quotas need X-Auth-All-Projects, or X-Auth-Sudo-Project-ID with that project.";
  throw new ServiceError('forbidden', message);
}
