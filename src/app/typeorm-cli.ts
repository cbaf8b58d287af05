import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../ormconfig.js';
import { compose } from './composition/compose.js';

/** Data source for `npm run typeorm`. The CLI awaits the export, and only then is the configuration read. */
export default {
  then(resolve: (dataSource: DataSource) => void, reject: (error: unknown) => void): void {
    configuredDataSource().then(resolve, reject);
  },
};

async function configuredDataSource(): Promise<DataSource> {
  const composition = compose();
  const { writer } = await dataSourceOptions(composition.config.database.url, await composition.schema());
  return new DataSource(writer);
}
