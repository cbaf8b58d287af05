import { resolve } from 'node:path';
import { Command } from 'nest-commander';
import { dataSourceOptions } from '../../ormconfig.js';
import { backUp } from '../database/backup.js';
import { CommonCommand } from './common-command.js';
import { type CommonOptions, configOf } from './with-application.js';

@Command({
  name: 'backup',
  arguments: '<file>',
  description: 'write the database as it is now into a file, also while the service runs',
})
export class BackupCommand extends CommonCommand {
  override async run([file = '']: string[], options: CommonOptions): Promise<void> {
    const { reader } = dataSourceOptions(configOf(options).database.url);
    if (reader?.type === 'postgres') throw new Error('PostgreSQL is backed up by pg_dump: see docs/operating.md');
    if (reader === null) throw new Error('a database in memory cannot be backed up');
    const { zones, records } = await backUp(reader, resolve(file));
    console.log(`wrote ${file} and found it sound: domains ${zones}, records ${records}`);
  }
}
