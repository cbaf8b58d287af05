import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A finding of a zone at some time. */
@Entity('inspections_results')
export class InspectionEntity {
  @PrimaryColumn('varchar', { length: 36 })
  id!: string;

  /** Its name. */
  @Column('varchar', { length: 255 })
  zone!: string;

  @Column('integer')
  errors!: number;

  @Column('integer')
  warnings!: number;

  /** Microseconds since 1970. */
  @Column('bigint')
  at!: number;
}
