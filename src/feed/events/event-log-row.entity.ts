import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/**
 * Entries of the journal of one zone that follow each other, in the order in which their tenant learns of them. The events
 * themselves are made from the journal when they are asked for. A row may stand for one publication in their place.
 */
@Entity('event_log', { withoutRowid: true })
@Index('event_log_zones', ['tenantId', 'zoneId', 'firstNumber'], { unique: true })
@Index('event_log_times', ['at'])
export class EventLogRowEntity {
  @PrimaryColumn('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** That of the last event of the row; positions of a tenant count its events from 1 without a gap. */
  @PrimaryColumn('bigint')
  position!: number;

  @Column('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** The number that the first of them has in the journal of the zone; of a publication that of `publicationNumber`. */
  @Column('bigint', { name: 'first_number' })
  firstNumber!: number;

  @Column('bigint')
  entries!: number;

  /** When the last of them happened. */
  @Column('bigint')
  at!: number;

  /** `PublicationNotice` as JSON; `null` for entries of the journal. */
  @Column('text', { nullable: true })
  publication!: string | null;
}
