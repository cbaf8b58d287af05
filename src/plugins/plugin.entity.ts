import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

/** A plugin that the database has been used with. What it has left there outlives its package. */
@Entity('plugins')
export class PluginEntity {
  @PrimaryColumn('varchar', { length: 63, ...BYTEWISE })
  name!: string;

  /** JSON: a list of `{ name, code }`. */
  @Column('text', { name: 'record_types' })
  recordTypes!: string;

  /** JSON: a list of names. */
  @Column('text')
  tables!: string;
}
