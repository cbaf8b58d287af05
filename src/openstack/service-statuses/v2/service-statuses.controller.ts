import { Controller, Get, Req } from '@nestjs/common';
import { AdminOnly } from '../../../auth/access.decorators.js';
import type { CollectionQuery } from '../../../common/collection-query.js';
import type { ApiRequest } from '../../../http/request.js';
import { V2Operation, V2Operations } from '../../../http/v2/api-docs.js';
import { V2Links } from '../../../http/v2/collection.js';
import { type CollectionRules, V2Query, V2Id } from '../../../http/v2/parameters.js';
import { ResourceAnswers } from '../../../http/v2/resources.js';
import { ServiceStatusesService } from '../heartbeat.js';
import { fieldsOfServiceStatus, ServiceStatusDto, ServiceStatusListDto } from './dto/service-status.dto.js';

const FILTERS: CollectionRules = {
  filters: ['hostname', 'service_name', 'status'],
  sortKeys: {
    created_at: 'created_at',
    id: 'id',
    updated_at: 'updated_at',
    hostname: 'hostname',
    service_name: 'service_name',
    status: 'status',
  },
};

@V2Operations('service statuses')
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
  @V2Operation({ summary: 'List statuses of services', list: FILTERS, response: ServiceStatusListDto })
  async list(@V2Query(FILTERS) query: CollectionQuery, @Req() request: ApiRequest): Promise<object> {
    return this.answers.list(await this.services.page(query), request);
  }

  @Get(':service_id')
  @V2Operation({
    summary: 'Get the status of a service',
    ids: { service_id: 'service_status_not_found' },
    response: ServiceStatusDto,
  })
  async get(@V2Id('service_id') id: string, @Req() request: ApiRequest): Promise<ServiceStatusDto> {
    return this.answers.one(await this.services.get(id), request);
  }
}
