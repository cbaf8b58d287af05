import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Offer of a zone to another tenant. A zone has at most one active offer. */
@Entity('zone_transfer_requests')
@Index('zone_transfer_requests_of_tenant', ['tenantId', 'createdAt', 'id'])
@Index('zone_transfer_requests_for_tenant', ['targetTenantId', 'createdAt', 'id'])
@Index('zone_transfer_requests_active', ['zoneId'], { unique: true, where: "status = 'ACTIVE'" })
export class OwnershipTransferRequestEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** The only tenant that may accept it; `null`: any tenant with the key. */
  @Column('varchar', { name: 'target_tenant_id', length: 255, nullable: true, ...BYTEWISE })
  targetTenantId!: string | null;

  /** Needed to accept the zone. Stored in plain text, because the offering tenant can read it. */
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

@Entity('zone_transfer_accepts')
@Index('zone_transfer_accepts_of_request', ['requestId'])
@Index('zone_transfer_accepts_of_tenant', ['tenantId', 'createdAt', 'id'])
export class OwnershipTransferAcceptEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { name: 'request_id', length: 36, ...BYTEWISE })
  requestId!: string;

  @Column('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
