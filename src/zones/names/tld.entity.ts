import { Column, Entity, Index } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';
import { ResourceEntity } from '../../database/resource.entity.js';

/** A name under which zones may be made. As long as there is none, they may be made under all names. */
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
