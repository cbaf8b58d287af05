import { inSection, option } from '../config/option.js';
import { boolean, integer, list, orEmpty, text } from '../config/readers.js';
import { databaseUrl, standbyUrl } from './database-url.js';

export const DATABASE_OPTIONS = inSection('database', {
  url: option(
    databaseUrl,
    'sqlite:data/zonewright.sqlite',
    'where the data lives; a relative path starts at the working directory',
    { secret: true },
  ),
  readUrls: option(
    orEmpty([], list(standbyUrl)),
    '',
    'standbys of the PostgreSQL of url that lists, exports, histories and transfers are read from; empty: url is read alone',
    { secret: true },
  ),
  maxStaleness: option(
    integer(1, 60_000),
    '200',
    'milliseconds that a read waits for a standby to catch up; one that is further behind is not asked',
  ),
  migrate: option(boolean, 'True', 'bring the schema up to date at start'),
});

export const SPOOL_OPTIONS = inSection('service:api', {
  spoolDirectory: option(
    orEmpty(null, text),
    '',
    'where exports of more than 1 MiB wait for their readers; empty: beside the SQLite database, or the temporary directory',
  ),
});
