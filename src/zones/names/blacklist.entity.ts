import { Column, Entity, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

/** A pattern of names that only admins give to zones. */
@Entity('blacklists')
@Index('blacklists_key', ['pattern'], { unique: true })
export class BlacklistEntity extends ResourceEntity {
  @Column('varchar', { length: 255, ...BYTEWISE })
  pattern!: string;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;
}
