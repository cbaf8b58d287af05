import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How full a zone was at some time. */
@Entity('acme_reports')
export class ReportEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  @Column('varchar', { length: 255 })
  zone!: string;

  @Column('integer')
  records!: number;

  /** Microseconds since 1970. */
  @Column('bigint')
  at!: number;
}
