import type { DataSourceOptions } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { compose } from '../../src/app/composition/compose.js';
import { isPostgresUrl } from './stored.js';

/** How the service writes to a database file, or to a PostgreSQL database by its URL; without the service around it. */
export async function writerOptionsOf(database: string): Promise<DataSourceOptions> {
  const url = isPostgresUrl(database) ? database : `sqlite:${database}`;
  const composition = compose([], { env: {}, cwd: import.meta.dirname });
  const { writer } = await dataSourceOptions(url, await composition.schema());
  return writer;
}
