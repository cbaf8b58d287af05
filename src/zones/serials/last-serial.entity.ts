import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** The serial that a zone had when it was deleted. Secondaries may still have it, so a zone of that name begins above it. */
@Entity('last_serials', { withoutRowid: true })
export class LastSerialEntity {
  @PrimaryColumn('varchar', { name: 'name_key', length: 255, ...BYTEWISE })
  nameKey!: string;

  @Column('bigint')
  serial!: number;
}
