import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** What one publication of a signed zone has changed, octet for octet: IXFR must say it as it was sent. */
@Entity('signed_steps', { withoutRowid: true })
export class SignedStepEntity {
  @PrimaryColumn('varchar', {
    name: 'zone_id',
    length: 36,
    ...BYTEWISE,
    primaryKeyConstraintName: 'signed_steps_key',
  })
  zoneId!: string;

  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'signed_steps_key' })
  number!: number;

  @Column('bigint', { name: 'serial_before' })
  serialBefore!: number;

  @Column('bigint')
  serial!: number;

  /** Of both texts together. */
  @Column('integer')
  octets!: number;

  /** Records in wire form, one behind the other, in base64; the SOA first. */
  @Column('text')
  removed!: string;

  @Column('text')
  added!: string;
}
