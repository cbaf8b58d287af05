import { Agent, get, type IncomingMessage, request } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { newDomain, type TestDomain } from '../support/domain.js';
import { IS_LONG } from '../support/length.js';
import { ownPlaceForEach } from '../support/own-place.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { childrenOf, type ServiceProcess, wordsIn } from '../support/process.js';
import { seedRecords } from '../support/seed.js';
import { clientsOf, type Settings, startTestService } from '../support/service.js';

jest.setTimeout(180_000);

const REQUESTS = 500;
/** Together more octets than the sockets between the two hold. */
const LONG = 3000;
const TEXT = 'x'.repeat(2200);
const ADMIN = { 'X-Auth-Project-ID': 'tenant-a', 'X-Roles': 'admin' };

const place = ownPlaceForEach('stopping');
let service: ServiceProcess;
let domain: TestDomain;
let longList: TestDomain;

async function start(grace: number, settings: Settings = {}): Promise<void> {
  service = await place.start({ SERVICE_API__SHUTDOWN_GRACE: String(grace), ...settings });
  const client = clientsOf(service.url);
  [domain, longList] = await Promise.all([newDomain(client), newDomain(client)]);
  seedRecords(place.database, longList.id, LONG, TEXT);
}

/** The beginning of a list response; the rest stays unread. */
function openList(): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(new URL(`/v1/domains/${longList.id}/records`, service.url), { headers: ADMIN, agent: false }, (answer) =>
      resolve(answer.pause()),
    ).once('error', reject);
  });
}

/** The status for a label, or the connection outcome. */
function create(label: string, agent: Agent): Promise<readonly [label: string, outcome: string]> {
  return new Promise((resolve) => {
    const headers = { ...ADMIN, 'Content-Type': 'application/json' };
    request(new URL(`/v1/domains/${domain.id}/records`, service.url), { method: 'POST', headers, agent })
      .once('error', ({ code }: NodeJS.ErrnoException) => resolve([label, String(code)]))
      .once('response', (answer: IncomingMessage) => {
        text(answer).then(
          () => resolve([label, String(answer.statusCode)]),
          () => resolve([label, 'cut off']),
        );
      })
      .end(JSON.stringify({ name: domain.at(label), type: 'A', data: '192.0.2.1' }));
  });
}

async function storedLabels(): Promise<string[]> {
  const again = await startTestService({}, place.directory);
  try {
    const answer = await again.call('get', `/v1/domains/${domain.id}/records`);
    const { records } = answer.body as { readonly records: readonly { readonly name: string }[] };
    return records.map(({ name }) => name.split('.')[0]!).sort();
  } finally {
    await again.stop();
  }
}

const WORKERS: Settings = { SERVICE_API__WORKERS: '2' };
const terminate = (): void => service.signal('SIGTERM');
/** As systemd does it: to every process of the unit. */
const terminateEach = async (): Promise<void> => {
  for (const pid of childrenOf(service.pid)) process.kill(pid, 'SIGTERM');
  await delay(50);
  terminate();
};
type Way = readonly [name: string, settings: Settings, stop: () => void | Promise<void>];
const ONE_PROCESS: Way = ['one process', {}, terminate];
const TWO_WORKERS: Way = ['two workers', WORKERS, terminate];
const TOLD_WORKERS: Way = ['two workers that are told as well', WORKERS, terminateEach];
const WAYS: readonly Way[] = ON_POSTGRES
  ? [...(IS_LONG ? [ONE_PROCESS, TWO_WORKERS] : []), TOLD_WORKERS]
  : [ONE_PROCESS];
/** Slow readers and stuck work do not depend on the database. */
const itSeldomOnPostgres = ON_POSTGRES && !IS_LONG ? it.skip : it;

describe('18.3 SIGTERM (attack case 108)', () => {
  const TITLE = `to %s under ${String(REQUESTS)} requests and a long list: all are answered, nothing acknowledged is lost, and the service ends in time`;
  it.each(WAYS)(TITLE, async (_, settings, stop) => {
    const grace = 60;
    await start(grace, settings);
    const list = await openList();
    const agent = new Agent({ keepAlive: true });
    const answered = Promise.all(Array.from({ length: REQUESTS }, (_, at) => create(`h${String(at)}`, agent)));
    // Connected and sent; the first changes are being committed.
    await delay(150);
    const begin = performance.now();
    await stop();
    await delay(300);
    const { records } = JSON.parse(await text(list)) as { records: unknown[] };
    expect(records).toHaveLength(LONG);
    const outcomes = await answered;
    const { code, stdout, stderr } = await service.ended;
    expect(performance.now() - begin).toBeLessThan(grace * 1000);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // A busy machine may begin some of them only then.
    const words = wordsIn(stdout).filter((line) => !line.startsWith('requests of '));
    expect(words.slice(-2)).toEqual(['SIGTERM: finishing the requests in flight', 'stopped']);
    // A connection that was not accepted yet is refused by the system: it carried nothing to us.
    expect(new Set(outcomes.map(([, outcome]) => outcome))).not.toContain('cut off');
    expect(outcomes.filter(([, outcome]) => !['200', '503', 'ECONNRESET', 'ECONNREFUSED'].includes(outcome))).toEqual(
      [],
    );
    const acknowledged = outcomes.filter(([, outcome]) => outcome === '200').map(([label]) => label);
    expect(acknowledged.length).toBeGreaterThan(0);
    expect(await storedLabels()).toEqual(acknowledged.sort());
    agent.destroy();
  });

  itSeldomOnPostgres('ends within the grace time although a client does not read its list', async () => {
    await start(1);
    const list = await openList();
    const begin = performance.now();
    service.signal('SIGTERM');
    const { code } = await service.ended;
    expect(code).toBe(0);
    expect(performance.now() - begin).toBeGreaterThan(900);
    expect(performance.now() - begin).toBeLessThan(20_000);
    await expect(text(list)).rejects.toThrow();
  });
});

/** A plugin with a part that never ends. */
const STUCK = `export default {
  name: 'stuck',
  zonewright: '*',
  api: () => ({ modules: [{ module: StuckModule }] }),
};
class StuckModule {
  onModuleDestroy() {
    return new Promise(() => undefined);
  }
}
`;

itSeldomOnPostgres('18.3 SIGTERM ends the service shortly after the grace despite unfinished work', async () => {
  const plugin = join(place.directory, 'stuck.plugin.mjs');
  await writeFile(plugin, STUCK);
  await start(1, { PLUGINS__PACKAGES: plugin });
  const begin = performance.now();
  service.signal('SIGTERM');
  const { code, stdout, stderr } = await service.ended;
  expect(code).toBe(1);
  expect(stdout + stderr).toContain('the service has not stopped within 6 s; it is ended now');
  expect(performance.now() - begin).toBeLessThan(20_000);
});
