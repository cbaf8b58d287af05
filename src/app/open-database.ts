import { dataSourceOptions, standbyOptions } from '../../ormconfig.js';
import { DatabaseOpenError } from '../database/database-failure.js';
import { type OpenDatabase, openDatabase, type OpenOptions } from '../database/open-database.js';
import { recordPlugins, type PluginTraces } from '../plugins/plugin.repository.js';
import type { Composition } from './composition/composition.js';

export interface ConfiguredDatabase extends OpenDatabase {
  /** Removed, but with records or tables left. */
  readonly absentPlugins: readonly PluginTraces[];
}

interface Uses extends Pick<OpenOptions, 'migrate' | 'log'> {
  /**
   * `checked` refuses servers that are no standbys. Short programs have no time for that, and a replacement worker must
   * not fail after a promotion.
   */
  readonly standbys?: 'checked' | 'as they are' | 'unread';
}

const NO_PRIMARY =
  '[database] read_urls names standbys of PostgreSQL, and [database] url is SQLite: leave read_urls empty,' +
  ' or name the primary as url';

/** @throws ConfigError, DatabaseOpenError */
export async function openConfiguredStandbys(composition: Composition): Promise<ConfiguredDatabase> {
  const schema = await composition.schema();
  const servers = await standbyOptions(composition.config.database.readUrls, schema);
  const { openStandaloneStandbys } = await import('../database/standbys/open-standalone-standbys.js');
  return withPlugins(await openStandaloneStandbys(servers, schema.histories), composition);
}

/** Records of removed plugins can be read. @throws ConfigError, DatabaseOpenError */
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
