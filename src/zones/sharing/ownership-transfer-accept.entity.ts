import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** A zone transfer that was accepted. */
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

  /** The tenant that received the zone. */
  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;
}
