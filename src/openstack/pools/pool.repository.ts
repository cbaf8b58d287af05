import { Injectable } from '@nestjs/common';
import { ServiceError } from '../../common/service-error.js';
import { type ResourceKind, ResourceRepository } from '../../database/resource.repository.js';
import { Column, Entity, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

/** A pool of name servers. The default pool has all zones and the configured servers; admin pools have no zones. */
@Entity('pools')
@Index('pools_key', ['name'], { unique: true })
export class PoolEntity extends ResourceEntity {
  @Column('varchar', { length: 255, ...BYTEWISE })
  name!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** `NsRecord[]` as JSON; `[]` for the default pool. */
  @Column('text', { name: 'ns_records' })
  nsRecords!: string;

  @Column('varchar', { name: 'project_id', length: 255, nullable: true })
  projectId!: string | null;
}

@Injectable()
export class PoolRepository extends ResourceRepository<PoolEntity> {
  protected override readonly kind: ResourceKind<PoolEntity> = {
    entity: PoolEntity,
    table: 'pools',
    columns: 'name, description, ns_records AS "nsRecords", project_id AS "projectId"',
    listed: ['name'],
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

export interface NsRecord {
  /** Absolute name. */
  readonly hostname: string;
  /** Lower values first. */
  readonly priority: number;
}
