import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadSqlite } from '../../dist/src/database/sqlite/sqlite-driver.js';
import { freePort, startServer } from '../processes.mjs';

const Database = loadSqlite();

const PROGRAM = '/usr/sbin/pdns_server';
const KEY = 'bench';
export { KEY as POWERDNS_KEY };
const HEADERS = { 'X-API-Key': KEY, Accept: 'application/json' };
const JSON_HEADERS = { ...HEADERS, 'Content-Type': 'application/json' };
const LISTED = 20;
const READ_SETS = 1000;
const MANY_ZONES = 32;
const ZONES = '/api/v1/servers/localhost/zones';
const SCHEMAS = {
  sqlite: '/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql',
  postgres: '/usr/share/doc/pdns-backend-pgsql/schema.pgsql.sql',
};

/** Why a backend cannot take part, `null` when it can. */
export function powerdnsFault(backend) {
  const isThere = existsSync(PROGRAM) && existsSync(SCHEMAS[backend]);
  if (isThere) return null;
  return `PowerDNS is not installed: apt-get install pdns-server pdns-backend-${backend === 'sqlite' ? 'sqlite3' : 'pgsql'}`;
}

export function powerdnsVersion() {
  const { stdout = '', stderr = '' } = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' });
  return /PowerDNS Authoritative Server (\S+)/.exec(stdout + stderr)?.[1] ?? null;
}

/** WAL is the backend's default and FULL SQLite's; named here since the comparison stands on them. */
export async function startPowerdnsOnSqlite({ name, directory, core }) {
  const file = path.join(directory, 'pdns.sqlite');
  const database = new Database(file);
  database.exec(await readFile(SCHEMAS.sqlite, 'utf8'));
  database.close();
  const backend = [
    'launch=gsqlite3',
    `gsqlite3-database=${file}`,
    'gsqlite3-pragma-journal-mode=WAL',
    'gsqlite3-pragma-synchronous=FULL',
    'gsqlite3-pragma-foreign-keys=yes',
  ];
  const inDatabase = async (sql) => {
    const connection = new Database(file);
    try {
      return sql.startsWith('SELECT') ? connection.prepare(sql).get() : connection.exec(sql);
    } finally {
      connection.close();
    }
  };
  return contestant({ name, directory, core, backend, inDatabase });
}

export async function startPowerdnsOnPostgres({ name, directory, core, postgres }) {
  await postgres.createDatabase('pdns');
  const inDatabase = async (sql) => {
    const client = await postgres.client('pdns');
    try {
      const { rows = [] } = await client.query(sql);
      return rows[0];
    } finally {
      await client.end();
    }
  };
  await inDatabase(await readFile(SCHEMAS.postgres, 'utf8'));
  const backend = [
    'launch=gpgsql',
    'gpgsql-host=127.0.0.1',
    `gpgsql-port=${postgres.port}`,
    'gpgsql-dbname=pdns',
    `gpgsql-user=${postgres.user}`,
    `gpgsql-password=${postgres.password}`,
  ];
  const peer = await contestant({ name, directory, core, backend, inDatabase });
  return { ...peer, database: postgres };
}

const COUNT_CREATED =
  'SELECT COUNT(*) AS stored FROM records JOIN domains ON domains.id = domain_id' +
  " WHERE records.type = 'A' AND domains.name LIKE 'create-%'";

async function contestant({ name, directory, core, backend, inDatabase }) {
  const { child, url } = await start({ name, directory, core, backend });
  await makeZone(url, 'read.example.', READ_SETS);
  await makeZone(url, 'list.example.', LISTED);
  await makeZone(url, 'update.example.', READ_SETS);
  const many = Array.from({ length: MANY_ZONES }, (_, at) => ({ zone: `many-${at}.example.` }));
  for (const { zone } of many) await makeZone(url, zone);
  // Its documentation asks for it after an import: SQLite chooses poor indexes otherwise.
  await inDatabase('ANALYZE');
  const get = { method: 'GET', headers: HEADERS, order: 'cycle' };
  const replace = {
    method: 'PATCH',
    headers: JSON_HEADERS,
    path: `${ZONES}/%zone%`,
    order: 'fresh',
    perSecond: 3000,
  };
  const creation = { ...replace, body: replacing('r-%serial%.%zone%', '192.0.2.1') };
  const templates = {
    create: async () => ({ ...creation, picks: [{ zone: await makeFreshZone(url) }] }),
    'create in 32 domains': { ...creation, picks: many },
    get: {
      ...get,
      path: `${ZONES}/read.example.?rrset_name=h%at%.read.example.&rrset_type=A`,
      picks: Array.from({ length: READ_SETS }, (_, at) => ({ at })),
    },
    'list of 20': { ...get, path: `${ZONES}/list.example.` },
    export: { ...get, path: `${ZONES}/read.example./export` },
    // It caches no exports: an earlier change does not matter to it, and is not counted against it.
    'export after a change': { ...get, path: `${ZONES}/read.example./export` },
    update: {
      ...replace,
      body: replacing('h%at%.update.example.', '198.18.%high%.%low%'),
      picks: Array.from({ length: READ_SETS }, (_, at) => ({ at, zone: 'update.example.' })),
    },
    delete: (pool) => deletions(url, pool),
  };
  const verify = async () => ({ stored: Number((await inDatabase(COUNT_CREATED)).stored) });
  // It ends the connection after each answer.
  return { name, child, url, closes: true, templates, verify };
}

async function start({ name, directory, core, backend }) {
  const port = await freePort();
  const configuration = [
    ...backend,
    'api=yes',
    `api-key=${KEY}`,
    'webserver=yes',
    'webserver-address=127.0.0.1',
    `webserver-port=${port}`,
    'webserver-allow-from=127.0.0.1',
    'webserver-loglevel=none',
    'local-address=127.0.0.1',
    `local-port=${await freePort()}`,
    // It would ask its maker's name servers about itself.
    'security-poll-suffix=',
    'disable-syslog=yes',
    'write-pid=no',
    `socket-dir=${directory}`,
  ];
  await writeFile(path.join(directory, 'pdns.conf'), `${configuration.join('\n')}\n`);
  const url = `http://127.0.0.1:${port}`;
  const child = await startServer({
    name,
    command: PROGRAM,
    args: [`--config-dir=${directory}`, '--daemon=no', '--guardian=no'],
    core,
    url: `${url}/api/v1/servers/localhost`,
    headers: HEADERS,
  });
  return { child, url };
}

async function makeZone(url, name, sets = 0) {
  const rrsets = Array.from({ length: sets }, (_, at) => rrset(`h${at}.${name}`, '192.0.2.1'));
  const zone = { name, kind: 'Native', nameservers: ['ns1.example.net.'], rrsets };
  const answer = await fetch(url + ZONES, { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify(zone) });
  if (!answer.ok) throw new Error(`PowerDNS does not make ${name}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

let zonesMade = 0;

/** Its creates cost more the more a zone holds, so each measurement has an empty one. */
async function makeFreshZone(url) {
  const name = `create-${(zonesMade += 1)}.example.`;
  await makeZone(url, name);
  return name;
}

async function deletions(url, pool) {
  const sets = Math.min(pool, MOST_SETS);
  const zone = `delete-${(zonesMade += 1)}.example.`;
  await makeZone(url, zone, sets);
  return {
    method: 'PATCH',
    path: `${ZONES}/${zone}`,
    headers: JSON_HEADERS,
    body: `{"rrsets":[{"name":"h%at%.${zone}","type":"A","changetype":"DELETE"}]}`,
    picks: Array.from({ length: sets }, (_, at) => ({ at })),
    order: 'consume',
  };
}

/** Fits into the 2 MB limit of its web server. */
const MOST_SETS = 5000;

function rrset(name, content) {
  return { name, type: 'A', ttl: 3600, changetype: 'REPLACE', records: [{ content, disabled: false }] };
}

function replacing(name, content) {
  return JSON.stringify({ rrsets: [rrset(name, content)] });
}
