import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

const PLACES_KEY = { primaryKeyConstraintName: 'listener_places_key' } as const;

/** A listener that runs or has run in the service. */
@Entity('change_listeners')
export class ListenerEntity {
  @PrimaryColumn('varchar', { length: 63, ...BYTEWISE })
  name!: string;

  /** When the listener was last running, to the hour. */
  @Column('bigint', { name: 'seen_at' })
  seenAt!: number;
}

/** Position of a listener in the journal of a zone. Exists as long as the zone or its journal. */
@Entity('listener_places', { withoutRowid: true })
export class ListenerPositionEntity {
  @PrimaryColumn('varchar', { length: 63, ...PLACES_KEY, ...BYTEWISE })
  listener!: string;

  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...PLACES_KEY, ...BYTEWISE })
  zoneId!: string;

  @Column('bigint')
  number!: number;
}

@Entity('listener_processes')
export class ListenerProcessEntity {
  /** From `newOwnerId()`. */
  @PrimaryColumn('varchar', { length: 255, ...BYTEWISE })
  holder!: string;

  /** Names of its listeners, as JSON. */
  @Column('text')
  listeners!: string;

  @Column('text')
  failing!: string;

  @Column('bigint')
  renewals!: number;
}

/** Assigns the zones whose ID ends in a digit, and a listener, to a process. */
@Entity('listener_shards')
export class ShardEntity {
  @PrimaryColumn('varchar', { length: 63, primaryKeyConstraintName: 'listener_shards_key', ...BYTEWISE })
  listener!: string;

  @PrimaryColumn('integer', { primaryKeyConstraintName: 'listener_shards_key' })
  shard!: number;

  /** Empty if unassigned. */
  @Column('varchar', { length: 255, ...BYTEWISE })
  holder!: string;
}
