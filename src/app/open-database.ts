import { dataSourceOptions } from '../../ormconfig.js';
import { type OpenDatabase, openDatabase, type OpenOptions } from '../database/open-database.js';
import { notePlugins, type PluginTraces } from '../plugins/noted-plugins.js';
import type { Composition } from './composition/composition.js';

export interface ConfiguredDatabase extends OpenDatabase {
  /** Plugins that have left records or tables in it, and are not there. */
  readonly absentPlugins: readonly PluginTraces[];
}

/** A database that is there, with the schema of this release, is all that most programs may work with. */
type Changes = Pick<OpenOptions, 'migrate' | 'log'>;

/**
 * Opens the configured database with the tables of all plugins. Records of plugins that are gone can be read.
 * @throws ConfigError, DatabaseOpenError
 */
export async function openConfiguredDatabase(
  composition: Composition,
  changes: Changes = { migrate: null },
): Promise<ConfiguredDatabase> {
  const { url } = composition.config.database;
  const options = await dataSourceOptions(url, await composition.schema());
  const database = await openDatabase({ ...options, ...changes });
  try {
    const absentPlugins = await notePlugins(database, await composition.traces());
    for (const { recordTypes } of absentPlugins) await composition.keepReading(recordTypes);
    return { ...database, absentPlugins };
  } catch (error) {
    await database.close();
    throw error;
  }
}
