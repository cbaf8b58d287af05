import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Database } from '../support/sqlite.js';
import { audit } from '../support/audit.js';
import { bodyOf } from '../support/answers.js';
import { writerOptionsOf } from '../support/data-source.js';
import { newDomain } from '../support/domain.js';
import { runCommand, runService } from '../support/process.js';
import { databaseFileIn, environmentOf, startTestService } from '../support/service.js';
import { makePreRelease } from '../support/pre-release.js';
import { until } from '../support/until.js';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-migrations-'));
  file = databaseFileIn(directory);
});
afterEach(() => rm(directory, { recursive: true }));

/** The writer's own data source, without the application around it. */
async function withDataSource<T>(work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const dataSource = await new DataSource(await writerOptionsOf(file)).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

const migrate = (dataSource: DataSource) => dataSource.runMigrations({ transaction: 'each' });

/** The statements by which TypeORM would match the tables to the entities. */
async function differencesOf(dataSource: DataSource): Promise<string[]> {
  const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}

function tablesOf(path: string): string[] {
  const database = new Database(path, { readonly: true });
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").pluck().all();
  database.close();
  return names as string[];
}

describe('the migrations', () => {
  it('match the entities', async () => {
    await withDataSource(async (dataSource) => {
      await migrate(dataSource);
      expect(await differencesOf(dataSource)).toEqual([]);
    });
  });

  it('do nothing the second time (attack case 109)', async () => {
    const first = await withDataSource(migrate);
    expect(first.length).toBeGreaterThan(0);
    expect(await withDataSource(migrate)).toEqual([]);
  });

  it('can be reverted one by one, and repeated', async () => {
    await withDataSource(async (dataSource) => {
      const { length } = await migrate(dataSource);
      for (let at = 0; at < length; at++) await dataSource.undoLastMigration({ transaction: 'each' });
      expect(
        tablesOf(file).filter((name) => !['migrations', 'sqlite_sequence', 'typeorm_metadata'].includes(name)),
      ).toEqual([]);
      expect(await migrate(dataSource)).toHaveLength(length);
      expect(await differencesOf(dataSource)).toEqual([]);
    });
  });

  it('18.6 adopt the schema of the last commit before 1.0.0, and keep stored data', async () => {
    const first = await startTestService({}, directory);
    const domain = await newDomain(first);
    const record = await bodyOf(domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.1' }));
    await first.stop();
    makePreRelease(file);
    const second = await startTestService({}, directory);
    expect(await bodyOf(second.call('get', `/v1/domains/${domain.id}/records/${record.id}`))).toEqual(record);
    await second.stop();
    audit(file);
  });

  it('18.6 may be run by several processes concurrently (attack case 109)', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => runCommand(directory, environmentOf(directory), ['migrate'])));
    expect(runs).toEqual(runs.map(() => expect.objectContaining({ code: 0, stderr: '' })));
    await withDataSource(async (dataSource) => expect(await differencesOf(dataSource)).toEqual([]));
  });

  it('18.6 wait for a process that holds the write lock, also where the file has no log yet', async () => {
    await withDataSource(migrate);
    const other = new Database(file);
    other.pragma('journal_mode = DELETE');
    other.exec('BEGIN IMMEDIATE');
    const prepare = jest.spyOn(Database.prototype, 'prepare');
    const starting = startTestService({}, directory);
    await until(() => prepare.mock.calls.some(([sql]) => sql === 'PRAGMA journal_mode = WAL'));
    other.exec('COMMIT');
    other.close();
    prepare.mockRestore();
    await (await starting).stop();
    audit(file);
  });
});

describe('[database] migrate = False', () => {
  const env = (): Record<string, string> => environmentOf(directory, { DATABASE__MIGRATE: 'False' });

  it('refuses to start on an outdated schema, in one line, without changing it', async () => {
    await withDataSource(migrate);
    makePreRelease(file);
    const before = tablesOf(file);
    const { code, stderr } = await runService(directory, env());
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^zonewright: cannot use the database \S+: the schema is not up to date: run "zonewright migrate"[^\n]*\n$/,
    );
    expect(tablesOf(file)).toEqual(before);
  });

  it('refuses to start without a schema', async () => {
    const { code, stderr } = await runService(directory, env());
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(file) ? tablesOf(file) : []).toEqual([]);
  });

  it('starts after zonewright migrate', async () => {
    const { code, stdout } = await runCommand(directory, env(), ['migrate']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nthe database is up to date\n$/);
    const service = await startTestService({ DATABASE__MIGRATE: 'False' }, directory);
    await newDomain(service);
    await service.stop();
  });
});
