import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** A process that runs listeners. */
@Entity('listener_processes')
export class ListenerProcessEntity {
  /** As `newOwnerId()` makes it. */
  @PrimaryColumn('varchar', { length: 255, ...BYTEWISE })
  holder!: string;

  /** JSON, the names of the listeners that it brings. */
  @Column('text')
  listeners!: string;

  /** JSON, the names of those that fail there. */
  @Column('text')
  failing!: string;

  /** Grows while the process lives. */
  @Column('bigint')
  renewals!: number;
}
