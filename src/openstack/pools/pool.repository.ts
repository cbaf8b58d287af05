import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { FilteredPages } from '../../database/statements/filtered-pages.js';
import {
  RESOURCE_COLUMNS,
  RESOURCE_SELECT,
  type ResourceKind,
  ResourceRepository,
} from '../../database/resource.repository.js';
import { PoolEntity } from './pool.entity.js';

@Injectable()
export class PoolRepository extends ResourceRepository<PoolEntity> {
  protected override readonly kind: ResourceKind<PoolEntity> = {
    entity: PoolEntity,
    table: 'pools',
    pages: new FilteredPages<PoolEntity>({
      select: `${RESOURCE_SELECT}, name, description, ns_records AS "nsRecords", project_id AS "projectId"`,
      from: 'pools',
      columns: { ...RESOURCE_COLUMNS, name: { sql: 'name', kind: 'text' } },
      id: 'id',
    }),
    key: { name: 'pools_key', table: 'pools', columns: ['name'] },
    duplicate: () => ServiceError.ofField('duplicate_pool', 'name', 'enum', 'A pool of this name exists already.'),
    notFound: () => new ServiceError('pool_not_found', 'There is no such pool.'),
    audited: {
      kind: 'pool',
      nameOf: ({ name }) => name,
      ownerOf: ({ projectId }) => projectId,
      detailsOf: ({ name, description, nsRecords, projectId }) => ({
        ...{ name, description, project_id: projectId },
        ...(nsRecords !== undefined && { ns_records: JSON.parse(nsRecords) as unknown }),
      }),
    },
  };
}
