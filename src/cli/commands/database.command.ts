import { resolve } from 'node:path';
import { dataSourceOptions } from '../../../ormconfig.js';
import { backUp } from '../../database/backup.js';
import { assertPresent } from '../../database/database-location.js';
import type { ProgramContext } from '../program-context.js';
import { openConfiguredDatabase } from '../../app/open-database.js';

export async function backup({ composition }: ProgramContext, [file = '']: readonly string[]): Promise<void> {
  const { reader, histories } = await dataSourceOptions(composition.config.database.url, await composition.schema());
  if (reader?.type === 'postgres') throw new Error('PostgreSQL is backed up by pg_dump: see docs/operating/backup.md');
  if (reader === null) throw new Error('a database in memory cannot be backed up');
  await assertPresent(String(reader.database));
  const { zones, records, isOfAnotherRelease } = await backUp(reader, histories, resolve(file));
  const note = isOfAnotherRelease ? '; its schema is that of another release' : '';
  console.log(`wrote ${file} and verified it: domains ${zones}, records ${records}${note}`);
}

export async function migrate(
  { composition }: ProgramContext,
  { contracts }: { readonly contracts: boolean },
): Promise<void> {
  const database = await openConfiguredDatabase(composition, {
    migrate: contracts ? 'contractions too' : 'needed',
    log: { log: console.log, warn: console.log },
  });
  await database.close();
  console.log('the database is up to date');
}
