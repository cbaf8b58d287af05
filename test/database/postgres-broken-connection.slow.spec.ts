import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { runCommand } from '../support/process.js';
import { databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

let directory: string;
let proxy: TcpProxy;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-broken-connection-'));
});
afterEach(async () => {
  await proxy.close();
  await removeTestData(directory);
});

it('reports a broken connection as unreachable during every query', async () => {
  await runCommand(directory, environmentOf(directory), ['migrate']);
  const url = new URL(databaseFileIn(directory));
  proxy = await startTcpProxy(Number(url.port));
  url.port = String(proxy.port);
  const env = environmentOf(directory, { DATABASE__URL: url.href });
  const broken = [];
  // Some 30 responses; each fourth is the last one.
  for (let answers = 0; ; answers += 4) {
    proxy.resetAfter(answers);
    const { code, stderr } = await runCommand(directory, env, ['token', 'list']);
    if (code === 0) break;
    broken.push(stderr);
  }
  expect(broken.length).toBeGreaterThan(5);
  expect(
    broken.filter((line) => !/^zonewright: (cannot open the database|The database cannot take)/.test(line)),
  ).toEqual([]);
});
