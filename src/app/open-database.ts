import { dataSourceOptions } from '../../ormconfig.js';
import { type OpenDatabase, openDatabase } from '../database/open-database.js';
import { notePlugins, type PluginTraces } from '../plugins/noted-plugins.js';
import type { Composition } from './composition.js';

export interface ConfiguredDatabase extends OpenDatabase {
  /** Plugins that have left records or tables in it, and are not there. */
  readonly absentPlugins: readonly PluginTraces[];
}

/**
 * Opens the configured database with the tables of all plugins. Records of plugins that are gone can be read.
 * @param migrate whether its schema is brought up to date; unless it is said, the configuration decides
 * @throws ConfigError, DatabaseOpenError
 */
export async function openConfiguredDatabase(
  composition: Composition,
  migrate = composition.config.database.migrate,
): Promise<ConfiguredDatabase> {
  const { url } = composition.config.database;
  const database = await openDatabase({ ...(await dataSourceOptions(url, await composition.schema())), migrate });
  try {
    const absentPlugins = await notePlugins(database, await composition.traces());
    for (const { recordTypes } of absentPlugins) await composition.keepReading(recordTypes);
    return { ...database, absentPlugins };
  } catch (error) {
    await database.close();
    throw error;
  }
}
