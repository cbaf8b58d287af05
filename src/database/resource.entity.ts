import { Column, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from './statements/bytewise.js';

export abstract class ResourceEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'updated_at', nullable: true })
  updatedAt!: number | null;
}
