import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { writerOptionsOf } from '../support/data-source.js';
import { runCommand, runService } from '../support/process.js';
import { databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { lookInto } from '../support/stored.js';

/** The next release, which builds an index of records concurrently with requests. */
const NEXT = { program: join(import.meta.dirname, '../support/next-release.js') };

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-migrations-'));
});
afterEach(() => removeTestData(directory));

async function withDataSource<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const dataSource = await new DataSource(await writerOptionsOf(databaseFileIn(directory))).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

async function differencesOf(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

it('migrations match the entities, and can be reverted and repeated', async () => {
  await withDataSource(async (dataSource) => {
    const { length } = await dataSource.runMigrations({ transaction: 'each' });
    expect(await differencesOf(dataSource)).toEqual([]);
    for (let undone = 0; undone < length; undone++) await dataSource.undoLastMigration({ transaction: 'each' });
    expect(await dataSource.runMigrations({ transaction: 'each' })).toHaveLength(length);
    expect(await differencesOf(dataSource)).toEqual([]);
  });
});

it('several processes may migrate concurrently (attack case 109)', async () => {
  const env = environmentOf(directory);
  const runs = await Promise.all([1, 2, 3].map(() => runCommand(directory, env, ['migrate'])));
  expect(runs).toEqual(runs.map(() => expect.objectContaining({ code: 0, stderr: '' })));
  expect(await withDataSource(differencesOf)).toEqual([]);
  const names = lookInto(databaseFileIn(directory), ({ rows }) =>
    rows<{ name: string }>('SELECT name FROM migrations'),
  );
  expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
});

it('18.8 repeats an interrupted concurrent index build', async () => {
  const env = environmentOf(directory);
  await runCommand(directory, env, ['migrate']);
  const name = 'records_later_weights';
  await runCommand(directory, env, ['migrate'], NEXT);
  await withDataSource(async (dataSource) => {
    await dataSource.query("DELETE FROM migrations WHERE name = 'ExpandRecordsByWeights1999000000002'");
    await dataSource.query(`UPDATE pg_index SET indisvalid = false WHERE indexrelid = '${name}'::regclass`);
  });
  const runs = await Promise.all([1, 2].map(() => runCommand(directory, env, ['migrate'], NEXT)));
  expect(runs).toEqual(runs.map(() => expect.objectContaining({ code: 0 })));
  await withDataSource(async (dataSource) => {
    const valid = await dataSource.query(
      `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = '${name}'::regclass`,
    );
    expect(valid).toEqual([{ valid: true }]);
  });
});

it('compares every key by octets, in any database locale', async () => {
  await withDataSource((dataSource) => dataSource.runMigrations({ transaction: 'each' }));
  const columns = lookInto(databaseFileIn(directory), ({ rows }) =>
    rows<{ place: string }>(
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = 'public' AND collation_name IS NULL
         AND (column_name IN ('id', 'zone_id', 'owner_key', 'name_key', 'fingerprint', 'hash')
           OR (table_name, column_name) IN (('records', 'type'), ('record_sets', 'type'), ('quotas', 'tenant_id')))
         AND data_type <> 'integer'`,
    ),
  );
  expect(columns).toEqual([]);
});

it('18.5 reports an unreachable server in one line without a password', async () => {
  const env = environmentOf(directory, { DATABASE__URL: 'postgresql://me:secret@127.0.0.1:1/zonewright' });
  const { code, stderr } = await runService(directory, env);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^zonewright: cannot open the database postgresql:\/\/127\.0\.0\.1:1\/zonewright: [^\n]+\n$/);
  expect(stderr).not.toContain('secret');
});
