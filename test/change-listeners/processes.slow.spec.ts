import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { COMMAND_LINE, killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { installListener, numbersByZone, writtenIn } from './written-entries.js';

const DOMAINS = 12;
const SHARDS = 16;
/** Longer than a process is missed. */
const PATIENCE = 30_000;

let directory: string;
let services: ServiceProcess[] = [];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  const environment = environmentOf(directory, { PLUGINS__PACKAGES: await installListener(directory) });
  const start = () => startServiceProcess(directory, environment, [COMMAND_LINE, 'serve']);
  services = [await start()];
  services.push(await start());
  await until(() => sharesByProcess().every((share) => share === SHARDS / 2), PATIENCE);
}, 2 * PATIENCE);
afterAll(async () => {
  for (const service of services) killAll(service);
  await Promise.all(services.map(({ ended }) => ended));
  await removeTestData(directory);
});

/** How many shards each process has. */
function sharesByProcess(): number[] {
  const holders = lookInto(databaseFileIn(directory), ({ rows }) =>
    rows<{ holder: string }>('SELECT holder FROM listener_shards').map(({ holder }) => holder),
  );
  return services.map(({ pid }) => holders.filter((holder) => holder.split('/')[1] === String(pid)).length);
}

async function changeThrough(service: ServiceProcess): Promise<string[]> {
  const client = clientsOf(service.url);
  const domains = await Promise.all(Array.from({ length: DOMAINS }, () => newDomain(client)));
  await Promise.all(domains.map((domain) => domain.newRecord()));
  return domains.map(({ id }) => id);
}

function expectOnce(ids: readonly string[]): void {
  const numbers = numbersByZone(writtenIn(directory));
  expect(ids.map((id) => numbers.get(id))).toEqual(ids.map(() => [1, 2]));
}

const areWritten = (ids: readonly string[]): boolean => {
  const numbers = numbersByZone(writtenIn(directory));
  return ids.every((id) => (numbers.get(id)?.length ?? 0) >= 2);
};

describe('two processes on one database', () => {
  it(
    '19.4 share the domains, give each entry once, and take over when one is killed',
    async () => {
      const ids = [...(await changeThrough(services[0]!)), ...(await changeThrough(services[1]!))];
      await until(() => areWritten(ids), PATIENCE);
      expectOnce(ids);
      expect(new Set(writtenIn(directory).map(({ pid }) => pid))).toEqual(new Set(services.map(({ pid }) => pid)));

      const [dead, left] = services as [ServiceProcess, ServiceProcess];
      killAll(dead);
      const later = await changeThrough(left);
      await until(() => areWritten(later), PATIENCE);
      expectOnce(later);
      await until(() => sharesByProcess()[1] === SHARDS, PATIENCE);
    },
    3 * PATIENCE,
  );

  it('19.6 leave nothing held when they stop', async () => {
    const [, left] = services as [ServiceProcess, ServiceProcess];
    left.signal('SIGTERM');
    expect(await left.ended).toMatchObject({ code: 0 });
    const held = lookInto(databaseFileIn(directory), ({ rows }) => [
      ...rows("SELECT shard FROM listener_shards WHERE holder <> ''"),
      ...rows('SELECT holder FROM listener_processes'),
    ]);
    expect(held).toEqual([]);
  });
});
