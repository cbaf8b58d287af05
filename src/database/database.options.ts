import { inSection } from '../config/option.js';
import { boolean, orEmpty, text } from '../config/readers.js';
import { databaseUrl } from './database-url.js';

export const DATABASE_OPTIONS = inSection('database', {
  url: {
    name: 'url',
    default: 'sqlite:data/zonewright.sqlite',
    reader: databaseUrl,
    meaning: 'where the data lives; a relative path starts at the working directory',
    secret: true,
  },
  migrate: { name: 'migrate', default: 'True', reader: boolean, meaning: 'bring the schema up to date at start' },
});

export const SPOOL_OPTIONS = inSection('service:api', {
  spoolDirectory: {
    name: 'spool_directory',
    default: '',
    reader: orEmpty(null, text),
    meaning:
      'where exports of more than 1 MiB wait for their readers; empty: beside the SQLite database, or the temporary directory',
  },
});
