import { Command } from 'nest-commander';
import { dataSourceOptions } from '../../ormconfig.js';
import { openDatabase } from '../database/open-database.js';
import { CommonCommand } from './common-command.js';
import { type CommonOptions, configOf } from './with-application.js';

@Command({ name: 'migrate', description: 'bring the database up to date' })
export class MigrateCommand extends CommonCommand {
  override async run(_: string[], options: CommonOptions): Promise<void> {
    const { database } = configOf(options);
    const open = await openDatabase({ ...dataSourceOptions(database.url), migrate: true });
    await open.close();
    console.log('the database is up to date');
  }
}
