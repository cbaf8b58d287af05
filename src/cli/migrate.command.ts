import { dataSourceOptions } from '../../ormconfig.js';
import { openDatabase } from '../database/open-database.js';
import type { ProgramContext } from './program-context.js';

export async function migrate({ config }: ProgramContext): Promise<void> {
  const open = await openDatabase({ ...dataSourceOptions(config.database.url), migrate: true });
  await open.close();
  console.log('the database is up to date');
}
