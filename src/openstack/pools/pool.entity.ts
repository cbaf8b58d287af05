import { Column, Entity, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

/**
 * A pool of name servers. One is there from the beginning and has all zones; its name servers are those of the
 * configuration. What admins add beside it is kept, and has no zones.
 */
@Entity('pools')
@Index('pools_key', ['name'], { unique: true })
export class PoolEntity extends ResourceEntity {
  @Column('varchar', { length: 255, ...BYTEWISE })
  name!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** `NsRecord[]` as JSON; of the pool that has the zones, `[]`. */
  @Column('text', { name: 'ns_records' })
  nsRecords!: string;

  @Column('varchar', { name: 'project_id', length: 255, nullable: true })
  projectId!: string | null;
}

/** A name server as it stands in the NS records of zones. */
export interface NsRecord {
  /** Absolute. */
  readonly hostname: string;
  /** Lower comes first. */
  readonly priority: number;
}
