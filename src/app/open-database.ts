import { dataSourceOptions } from '../../ormconfig.js';
import { type OpenDatabase, openDatabase } from '../database/open-database.js';
import type { Composition } from './composition.js';

/**
 * Opens the configured database with the tables of all plugins.
 * @param migrate whether its schema is brought up to date; unless it is said, the configuration decides
 * @throws ConfigError, DatabaseOpenError
 */
export async function openConfiguredDatabase(
  composition: Composition,
  migrate = composition.config.database.migrate,
): Promise<OpenDatabase> {
  const { url } = composition.config.database;
  return openDatabase({ ...(await dataSourceOptions(url, await composition.schema())), migrate });
}
