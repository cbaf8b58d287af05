import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { startPostgresServer } from './server.js';

const COMMAND_LINE = resolve(import.meta.dirname, '../../../dist/src/cli/main.js');

/**
 * One PostgreSQL for the run, unless ZONEWRIGHT_TEST_POSTGRES_URL names one, in which tests make databases and drop them;
 * and in it a database with the schema, which is copied in less time than a service takes to make it.
 */
export default async function startPostgres() {
  const { url, remove } = givenServer() ?? (await startPostgresServer());
  const schema = `zw_schema_${process.pid}`;
  await execute(url, `CREATE DATABASE ${schema}`);
  await migrate(Object.assign(new URL(url), { pathname: schema }).href);
  process.env.ZONEWRIGHT_TEST_POSTGRES_SCHEMA = schema;
  const given = process.env.ZONEWRIGHT_TEST_POSTGRES_URL;
  process.env.ZONEWRIGHT_TEST_POSTGRES_URL = url;
  globalThis.stopPostgres = async () => {
    await execute(url, `DROP DATABASE ${schema}`);
    await remove();
    if (given === undefined) delete process.env.ZONEWRIGHT_TEST_POSTGRES_URL;
  };
}

function givenServer() {
  const url = process.env.ZONEWRIGHT_TEST_POSTGRES_URL;
  return url === undefined ? undefined : { url, remove: () => Promise.resolve() };
}

async function execute(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function migrate(url) {
  const env = { ...process.env, ZONEWRIGHT_DATABASE__URL: url };
  await promisify(execFile)(process.execPath, [COMMAND_LINE, 'migrate'], { cwd: tmpdir(), env });
}
