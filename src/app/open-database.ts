import { dataSourceOptions, standbyOptions } from '../../ormconfig.js';
import { DatabaseOpenError } from '../database/database-open-error.js';
import { type OpenDatabase, openDatabase, type OpenOptions } from '../database/open-database.js';
import { recordPlugins, type PluginTraces } from '../plugins/recorded-plugins.js';
import type { Composition } from './composition/composition.js';

export interface ConfiguredDatabase extends OpenDatabase {
  /** Plugins that have left records or tables in it, and are not there. */
  readonly absentPlugins: readonly PluginTraces[];
}

/** A database that is there, with the schema of this release, is all that most programs may work with. */
interface Uses extends Pick<OpenOptions, 'migrate' | 'log'> {
  /**
   * Whether it reads from standbys, and refuses others: what ends soon has no time to look at them, and a worker that takes the
   * place of another must not find that one has become a primary meanwhile.
   */
  readonly standbys?: 'checked' | 'as they are' | 'unread';
}

const NO_PRIMARY =
  '[database] read_urls names standbys of PostgreSQL, and [database] url is SQLite: leave read_urls empty,' +
  ' or name the primary as url';

/**
 * Opens the standbys alone, for a program that only reads.
 * @throws ConfigError, DatabaseOpenError
 */
export async function openConfiguredStandbys(composition: Composition): Promise<ConfiguredDatabase> {
  const schema = await composition.schema();
  const servers = await standbyOptions(composition.config.database.readUrls, schema);
  const { openStandaloneStandbys } = await import('../database/standbys/open-standalone-standbys.js');
  return withPlugins(await openStandaloneStandbys(servers, schema.histories), composition);
}

/**
 * Opens the configured database with the tables of all plugins. Records of plugins that are gone can be read.
 * @throws ConfigError, DatabaseOpenError
 */
export async function openConfiguredDatabase(
  composition: Composition,
  { standbys = 'unread', ...changes }: Uses = { migrate: null },
): Promise<ConfiguredDatabase> {
  const { url, readUrls, maxStaleness } = composition.config.database;
  const schema = await composition.schema();
  const options = await dataSourceOptions(url, schema);
  const servers = standbys === 'unread' ? [] : await standbyOptions(readUrls, schema);
  if (servers.length > 0 && options.writer.type !== 'postgres') throw new DatabaseOpenError(NO_PRIMARY);
  const named = { servers, maxStaleness, refusesOthers: standbys === 'checked' };
  const database = await openDatabase({ ...options, ...changes, standbys: named });
  return withPlugins(database, composition);
}

/** Notes the plugins where the database can be written to. */
async function withPlugins(database: OpenDatabase, composition: Composition): Promise<ConfiguredDatabase> {
  const { reads, isReadOnly } = database;
  try {
    const unitOfWork = isReadOnly ? null : database.unitOfWork;
    const absentPlugins = await recordPlugins({ reads, unitOfWork }, await composition.traces());
    for (const { recordTypes } of absentPlugins) await composition.keepReading(recordTypes);
    return { ...database, absentPlugins };
  } catch (error) {
    await database.close();
    throw error;
  }
}
