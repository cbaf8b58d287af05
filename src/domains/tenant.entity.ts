import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/bytewise.js';

/** A tenant that has, or had, domains. Its row orders the changes that the limit on domains depends on. */
@Entity('tenants')
export class TenantEntity {
  @PrimaryColumn('varchar', { length: 255, ...BYTEWISE })
  id!: string;

  @Column('integer', { name: 'domain_count' })
  domainCount!: number;
}
