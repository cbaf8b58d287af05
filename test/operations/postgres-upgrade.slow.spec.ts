import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { queryPostgres } from '../support/postgres/databases.js';
import { killAll, runCommand, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { until } from '../support/until.js';
import { UpgradeLoad } from './upgrade-load.js';

jest.setTimeout(300_000);

const LATER = join(import.meta.dirname, '../support/next-release.js');

let directory: string;
let former: ServiceProcess;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-upgrade-'));
  former = await startServiceProcess(directory, environmentOf(directory));
});
afterEach(async () => {
  killAll(former);
  await former.ended;
  await removeTestData(directory);
});

it('18.8 a migration that waits for a reader of a table lets requests through', async () => {
  const url = databaseFileIn(directory);
  const load = new UpgradeLoad();
  load.putIn({ name: 'former', url: former.url });
  load.start(4);
  await load.answered(20);

  queryPostgres(url, 'BEGIN');
  queryPostgres(url, 'SELECT 1 FROM records LIMIT 1');
  const migrating = runCommand(directory, environmentOf(directory), ['migrate'], { program: LATER });
  const waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'";
  const waits = (): boolean => queryPostgres(url, waiting).length > 0;
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await until(waits);
    await until(() => !waits());
    await load.answered(20);
  }
  queryPostgres(url, 'ROLLBACK');

  expect(await migrating).toMatchObject({ code: 0, stderr: '' });
  await load.answered(20);
  await load.stop();
  expect(load.served.get('former')?.refused).toEqual([]);
});
