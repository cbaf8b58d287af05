import { Injectable } from '@nestjs/common';
import type { CollectionQuery } from '../../common/collection-query.js';
import type { FilteredPage } from '../../database/statements/filtered-pages.js';
import { Heartbeat } from './heartbeat.js';
import type { ServiceStatusEntity } from './service-status.entity.js';
import { ServiceStatusRepository } from './service-status.repository.js';

/** Which services run, on which hosts. */
@Injectable()
export class ServiceStatusesService {
  constructor(
    private readonly statuses: ServiceStatusRepository,
    private readonly heartbeat: Heartbeat,
  ) {}

  async page(query: CollectionQuery): Promise<FilteredPage<ServiceStatusEntity>> {
    await this.heartbeat.refresh();
    return this.statuses.page(query);
  }

  async get(id: string): Promise<ServiceStatusEntity> {
    await this.heartbeat.refresh();
    return this.statuses.find(id);
  }
}
