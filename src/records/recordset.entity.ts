import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The records of one owner name and type, counted: what placement, size and quota rules need without a COUNT(*). */
@Entity('recordsets', { withoutRowid: true })
export class RecordsetEntity {
  @PrimaryColumn('varchar', { name: 'domain_id', length: 36 })
  domainId!: string;

  @PrimaryColumn('varchar', { name: 'owner_key', length: 255 })
  ownerKey!: string;

  @PrimaryColumn('varchar', { length: 16 })
  type!: string;

  @Column('integer', { name: 'record_count' })
  recordCount!: number;

  /** The sum of the records' RDATA lengths in octets. */
  @Column('integer')
  octets!: number;
}
