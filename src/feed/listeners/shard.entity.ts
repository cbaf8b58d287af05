import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Which process gives a listener the changes of the zones whose id ends in that digit. */
@Entity('listener_shards')
export class ShardEntity {
  @PrimaryColumn('varchar', { length: 63, primaryKeyConstraintName: 'listener_shards_key', ...BYTEWISE })
  listener!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'listener_shards_key' })
  shard!: number;

  /** Empty where none does. */
  @Column('varchar', { length: 255, ...BYTEWISE })
  holder!: string;
}
