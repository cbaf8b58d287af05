import type { CollectionRules } from '../../../http/v2/collection-query.js';
import { describeResource } from '../../../http/v2/resource-docs.js';
import { ServiceStatusDto, ServiceStatusListDto } from './dto/service-status.dto.js';

export const SERVICE_STATUS_LIST: CollectionRules = {
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

export const ApiServiceStatuses = describeResource({
  one: 'the status of a service',
  many: 'statuses of services',
  id: 'service_id',
  dto: ServiceStatusDto,
  listDto: ServiceStatusListDto,
  rules: SERVICE_STATUS_LIST,
  notFound: 'service_status_not_found',
});
