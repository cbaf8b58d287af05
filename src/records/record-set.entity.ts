import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/bytewise.js';

/** The records of one owner name and type, counted: what placement, size and quota rules need without a COUNT(*). */
@Entity('recordsets', { withoutRowid: true })
export class RecordSetEntity {
  @PrimaryColumn('varchar', { name: 'domain_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @PrimaryColumn('varchar', { name: 'owner_key', length: 255, ...BYTEWISE })
  ownerKey!: string;

  @PrimaryColumn('varchar', { length: 16, ...BYTEWISE })
  type!: string;

  @Column('integer', { name: 'record_count' })
  recordCount!: number;

  /** The sum of the records' RDATA lengths in octets. */
  @Column('integer')
  octets!: number;
}
