import { Controller, Get, Req } from '@nestjs/common';
import { AdminOnly } from '../../../auth/access.decorators.js';
import type { CollectionQuery } from '../../../common/collection-query.js';
import type { ApiRequest } from '../../../http/request.js';
import { ApiV2Operations } from '../../../http/v2/api-docs.js';
import { V2Links } from '../../../http/v2/collection.js';
import { V2Query } from '../../../http/v2/collection-query.js';
import { V2Id } from '../../../http/v2/path-uuid.js';
import { ResourceAnswers } from '../../../http/v2/resource-answers.js';
import { ServiceStatusesService } from '../service-statuses.service.js';
import { fieldsOfServiceStatus, type ServiceStatusDto } from './dto/service-status.dto.js';
import { ApiServiceStatuses, SERVICE_STATUS_LIST } from './service-statuses.api.js';

@ApiV2Operations('service statuses')
@AdminOnly()
@Controller(['v2/service_statuses', 'v2/service_status'])
export class ServiceStatusesController {
  private readonly answers;

  constructor(
    private readonly services: ServiceStatusesService,
    links: V2Links,
  ) {
    this.answers = new ResourceAnswers(links, 'service_statuses', fieldsOfServiceStatus);
  }

  @Get()
  @ApiServiceStatuses.list()
  async list(@V2Query(SERVICE_STATUS_LIST) query: CollectionQuery, @Req() request: ApiRequest): Promise<object> {
    return this.answers.list(await this.services.page(query), request);
  }

  @Get(':service_id')
  @ApiServiceStatuses.get()
  async get(@V2Id('service_id') id: string, @Req() request: ApiRequest): Promise<ServiceStatusDto> {
    return this.answers.one(await this.services.get(id), request);
  }
}
