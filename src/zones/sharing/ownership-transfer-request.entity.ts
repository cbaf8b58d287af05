import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** The offer of a zone to another tenant. There is one at most for a zone that has not been taken up. */
@Entity('zone_transfer_requests')
@Index('zone_transfer_requests_of_tenant', ['tenantId', 'createdAt', 'id'])
@Index('zone_transfer_requests_for_tenant', ['targetTenantId', 'createdAt', 'id'])
@Index('zone_transfer_requests_active', ['zoneId'], { unique: true, where: "status = 'ACTIVE'" })
export class OwnershipTransferRequestEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** Who has offered the zone. */
  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** The only tenant that may accept it; `null`: whoever has the key. */
  @Column('varchar', { name: 'target_tenant_id', length: 255, nullable: true, ...BYTEWISE })
  targetTenantId!: string | null;

  /** Whoever takes the zone has to know it. It is shown to who has offered it, so that it is kept as it is. */
  @Column('varchar', { name: 'transfer_key', length: 8 })
  key!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  @Column('varchar', { length: 8 })
  status!: 'ACTIVE' | 'COMPLETE';

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'updated_at', nullable: true })
  updatedAt!: number | null;
}
