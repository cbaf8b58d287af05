import { inSection } from '../config/option.js';
import { boolean, integer, list, orEmpty, text } from '../config/readers.js';
import { databaseUrl, standbyUrl } from './database-url.js';

export const DATABASE_OPTIONS = inSection('database', {
  url: {
    name: 'url',
    default: 'sqlite:data/zonewright.sqlite',
    reader: databaseUrl,
    meaning: 'where the data lives; a relative path starts at the working directory',
    secret: true,
  },
  readUrls: {
    name: 'read_urls',
    default: '',
    reader: orEmpty([], list(standbyUrl)),
    meaning:
      'standbys of the PostgreSQL of url that lists, exports, histories and transfers are read from; empty: url is read alone',
    secret: true,
  },
  maxStaleness: {
    name: 'max_staleness',
    default: '200',
    reader: integer(1, 60_000),
    meaning: 'milliseconds that a read waits for a standby to catch up; one that is further behind is not asked',
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
