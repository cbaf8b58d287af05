import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** How far a listener has come in the journal of a zone. It stays as long as the zone or its journal does. */
@Entity('listener_places', { withoutRowid: true })
export class ListenerPositionEntity {
  @PrimaryColumn('varchar', { length: 63, primaryKeyConstraintName: 'listener_places_key', ...BYTEWISE })
  listener!: string;

  @PrimaryColumn('varchar', {
    name: 'zone_id',
    length: 36,
    primaryKeyConstraintName: 'listener_places_key',
    ...BYTEWISE,
  })
  zoneId!: string;

  /** Of the last entry that it has dealt with; where there is no row, that is none. */
  @Column('bigint')
  number!: number;
}
