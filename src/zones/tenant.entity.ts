import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

/** A tenant that has, or had, zones. Its row orders the changes that the limit on zones depends on. */
@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('varchar', { length: 255, ...BYTEWISE })
  id!: string;

  @Column('integer', { name: 'zone_count' })
  zoneCount!: number;
}
