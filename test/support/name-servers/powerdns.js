import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadSqlite } from '../../../dist/src/database/sqlite/sqlite-driver.js';
import { documentedFor } from './documented.js';

const Database = loadSqlite();

const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';

export const needs = { pdns_server: 'pdns-server', [SCHEMA]: 'pdns-backend-sqlite3' };

/** Writes the configuration and the database of docs/publishing.md, and returns the command that serves them. */
export async function configure({ directory, zones, ...place }) {
  const own = ['security-poll-suffix=', 'disable-syslog=yes', 'write-pid=no', `socket-dir=${directory}`];
  const settings = documentedFor('pdns.conf', { directory, ...place });
  await writeFile(join(directory, 'pdns.conf'), `${settings}${own.join('\n')}\n`);
  const catalog = documentedFor('catalog.sql', { directory, ...place });
  await fillDatabase(join(directory, 'pdns.sqlite3'), catalog, place.primary, zones);
  return ['pdns_server', `--config-dir=${directory}`, '--daemon=no', '--guardian=no'];
}

async function fillDatabase(file, catalog, primary, zones) {
  const database = new Database(file);
  try {
    database.exec(await readFile(SCHEMA, 'utf8'));
    database.exec(catalog);
    const insert = database.prepare("INSERT INTO domains (name, type, master) VALUES (?, 'SLAVE', ?)");
    for (const zone of zones) insert.run(zone, `127.0.0.1:${primary}`);
  } finally {
    database.close();
  }
}
