import { Column, Entity, PrimaryColumn, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

/** Tells processes that TLDs or blacklists have changed. One row. */
@Entity('zone_name_rules')
export class ZoneNameRulesEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** A new random UUID for each change. A counter would repeat its value after a rollback. */
  @Column('varchar', { length: 36, ...BYTEWISE })
  state!: string;
}

/** A name under which zones may be created. Without TLDs, all names are allowed. */
@Entity('tlds')
@Index('tlds_key', ['nameKey'], { unique: true })
export class TldEntity extends ResourceEntity {
  /** As sent, without the final dot. */
  @Column('varchar', { length: 255 })
  name!: string;

  /** `DomainName.key`: compares without case. */
  @Column('varchar', { name: 'name_key', length: 255, ...BYTEWISE })
  nameKey!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;
}

/** A pattern of names that only admins may use for zones. */
@Entity('blacklists')
@Index('blacklists_key', ['pattern'], { unique: true })
export class BlacklistEntity extends ResourceEntity {
  @Column('varchar', { length: 255, ...BYTEWISE })
  pattern!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;
}
