import { openConfiguredDatabase } from '../../app/open-database.js';
import type { ProgramContext } from '../program-context.js';

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
