import { resolve } from 'node:path';
import { dataSourceOptions } from '../../ormconfig.js';
import { backUp } from '../database/backup.js';
import type { ProgramContext } from './program-context.js';

export async function backup({ composition }: ProgramContext, [file = '']: readonly string[]): Promise<void> {
  const { reader } = await dataSourceOptions(composition.config.database.url, await composition.schema());
  if (reader?.type === 'postgres') throw new Error('PostgreSQL is backed up by pg_dump: see docs/operating.md');
  if (reader === null) throw new Error('a database in memory cannot be backed up');
  const { zones, records } = await backUp(reader, resolve(file));
  console.log(`wrote ${file} and found it sound: domains ${zones}, records ${records}`);
}
