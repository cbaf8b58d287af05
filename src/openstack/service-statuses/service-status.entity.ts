import { Column, Entity, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

/** A service on a host, and when one of its processes was last heard of. */
@Entity('service_statuses')
@Index('service_statuses_key', ['serviceName', 'hostname'], { unique: true })
export class ServiceStatusEntity extends ResourceEntity {
  @Column('varchar', { name: 'service_name', length: 64, ...BYTEWISE })
  serviceName!: string;

  @Column('varchar', { length: 255, ...BYTEWISE })
  hostname!: string;

  @Column('varchar', { length: 8, ...BYTEWISE })
  status!: 'UP' | 'DOWN';

  @Column('bigint', { name: 'heartbeated_at' })
  heartbeatedAt!: number;
}
