import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** By which processes see that TLDs or blacklists have changed since they read them. */
@Entity('zone_name_rules')
export class ZoneNameRulesEntity {
  /** There is one row at most. */
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** A new random UUID with each change: a change that is undone has used up its own, where a number would come again. */
  @Column('varchar', { length: 36, ...BYTEWISE })
  state!: string;
}
