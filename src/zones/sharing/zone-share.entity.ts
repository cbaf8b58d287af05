import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** That a tenant may put record sets into a zone of another one. */
@Entity('zone_shares')
@Index('zone_shares_key', ['zoneId', 'targetTenantId'], { unique: true })
@Index('zone_shares_for_tenant', ['targetTenantId', 'zoneId'])
export class ZoneShareEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { name: 'target_tenant_id', length: 255, ...BYTEWISE })
  targetTenantId!: string;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
