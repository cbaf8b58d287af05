import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/**
 * A zone whose records, record sets and journal rows are being written before it is there itself. Nobody sees what belongs to no
 * zone; whoever reads those tables across zones leaves these out.
 */
@Entity('incoming_zones', { withoutRowid: true })
export class StagedImportEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** Who writes; empty: nobody any more, and what is there goes. */
  @Column('varchar', { length: 255 })
  holder!: string;

  /** Grows with each portion, by which others see that the holder lives. */
  @Column('integer')
  renewals!: number;
}
