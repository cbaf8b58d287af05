import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** A listener that the service runs, or has run. */
@Entity('change_listeners')
export class ListenerEntity {
  @PrimaryColumn('varchar', { length: 63, ...BYTEWISE })
  name!: string;

  /** When a process that brings it was last seen to run, to the hour. */
  @Column('bigint', { name: 'seen_at' })
  seenAt!: number;
}
