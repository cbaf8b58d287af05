import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { runCommand, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { type Clients, clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { newDomain } from '../support/domain.js';

/** On PostgreSQL every statement of an import is a round trip. */
const COUNT = ON_POSTGRES ? 2000 : 10_000;
/** In milliseconds: longer than a busy machine takes, shorter than a change waits for a lock. */
const PATIENCE = 15_000;
const FILE = Array.from({ length: COUNT }, (_, at) => `h${String(at)} A 192.0.2.1\n`).join('');

let directory: string;
let env: Record<string, string>;
let service: ServiceProcess;
let clients: Clients;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  env = environmentOf(directory, { SERVICE_API__MAX_BODY_SIZE: '10000000' });
  service = await startServiceProcess(directory, env);
  clients = clientsOf(service.url);
});
afterAll(async () => {
  audit(databaseFileIn(directory));
  service.signal('SIGTERM');
  await service.ended;
  await removeTestData(directory);
});

interface Watched {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly milliseconds: number;
}

/** Repeats a request until `end`, and one more time after it. */
async function watch(
  end: Promise<unknown>,
  request: () => PromiseLike<Omit<Watched, 'milliseconds'>>,
): Promise<Watched[]> {
  const state = { isOver: false };
  void end.catch(() => undefined).finally(() => (state.isOver = true));
  const answers: Watched[] = [];
  for (let isLast = false; !isLast;) {
    isLast = state.isOver;
    const started = performance.now();
    answers.push({ ...(await request()), milliseconds: performance.now() - started });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return answers;
}

/** Reads and writes of others, again and again, while something else goes on. */
async function others(end: Promise<unknown>): Promise<{ reads: Watched[]; writes: Watched[] }> {
  const zone = await newDomain(clients);
  let records = 0;
  const outcome = ({ status, headers }: { status: number; headers: Record<string, string> }) => ({
    status,
    retryAfter: headers['retry-after'],
  });
  const [reads, writes] = await Promise.all([
    watch(end, () => zone.list().then(outcome)),
    watch(end, () =>
      zone.create({ name: zone.at(`w${String((records += 1))}`), type: 'A', data: '192.0.2.1' }).then(outcome),
    ),
  ]);
  return { reads, writes };
}

/** Many were answered before the import was, and none waited for it: how fast they are is for `bench` to say. */
function expectBeside(answers: readonly Watched[]): void {
  expect(answers.length).toBeGreaterThan(5);
  expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(PATIENCE);
}

const statuses = (answers: readonly Watched[]): Set<number> => new Set(answers.map(({ status }) => status));

it('15.2 an import through the API holds up writes and reads for a moment only', async () => {
  const zone = await newDomain(clients);
  const importing = zone.import(FILE);
  const { reads, writes } = await others(importing);
  expect(await importing).toMatchObject({ created: COUNT });
  expect(statuses([...reads, ...writes])).toEqual(new Set([200]));
  expectBeside(reads);
});

it('15.2 an import on the command line does too, and refuses no request', async () => {
  await writeFile(join(directory, 'long.zone'), FILE);
  const zone = await newDomain(clients, 'long.example.org.');
  const importing = runCommand(directory, env, ['zone', 'import', 'long.zone', '--domain', zone.name]);
  const { reads, writes } = await others(importing);
  expect(await importing).toMatchObject({ code: 0, stdout: expect.stringContaining(`: ${String(COUNT)} created`) });
  expect(statuses(reads)).toEqual(new Set([200]));
  expectBeside(reads);
  expect(statuses(writes)).toEqual(new Set([200]));
});

it('15.2 a change made during an import stays, with any file contents', async () => {
  const zone = await newDomain(clients);
  const importing = zone.import(FILE);
  const created = zone.create({ name: zone.at('mine'), type: 'TXT', data: 'text' });
  expect((await created).status).toBe(200);
  await importing;
  expect((await zone.list('?type=TXT')).body.records).toHaveLength(1);
});

it('15.2 changes of the same zone go on while a file is imported into it, and both stay', async () => {
  const zone = await newDomain(clients);
  await zone.import(FILE.replaceAll('h', 'old'));
  const importing = zone.import(FILE);
  let records = 0;
  const create = () => zone.create({ name: zone.at(`w${String((records += 1))}`), type: 'A', data: '192.0.2.1' });
  const changes = await watch(importing, () => create().then(({ status }) => ({ status, retryAfter: undefined })));
  expect(await importing).toMatchObject({ created: COUNT, removed: 0 });
  expect(statuses(changes)).toEqual(new Set([200]));
});
