import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import Database from 'better-sqlite3';
import type { Response, Test } from 'supertest';
import { expectRefusal } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { answerOf, bodyOf } from '../support/bodies.js';
import { fill, immutableStopsWriters, mountSmallDisk, setImmutable } from '../support/disk.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { runService, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { type Clients, clientsOf, databaseFileIn, environmentOf } from '../support/service.js';

// Each test waits several times for as long as a change may wait.
jest.setTimeout(60_000);

/** A change waits for another process's lock for five seconds; nothing takes much longer. */
const LONGEST_ANSWER = 7000;
const LONGEST_RECOVERY = 5000;

let directory: string;
let file: string;
let service: ServiceProcess;
let client: Clients;
let domain: TestDomain;
/** The names of the records whose creation was acknowledged. */
let acknowledged: string[];

async function start(place: string): Promise<void> {
  directory = place;
  file = databaseFileIn(place);
  service = await startServiceProcess(place, environmentOf(place));
  client = clientsOf(service.url);
  domain = await newDomain(client);
  acknowledged = [];
}

/** Also what a failed test has left running. */
async function kill(): Promise<void> {
  service.signal('SIGKILL');
  await service.ended;
}

async function stop(): Promise<void> {
  service.signal('SIGTERM');
  await service.ended;
  audit(file);
}

/** Creates a record, and holds the answer against what may be answered: yes, or 503 with Retry-After in good time. */
async function create(label: string, octets = 8): Promise<Response> {
  const name = domain.at(label);
  const start = performance.now();
  const answer = await domain.create({ name, type: 'TXT', data: 'x'.repeat(octets) });
  expect(performance.now() - start).toBeLessThan(LONGEST_ANSWER);
  if (answer.status === 200) acknowledged.push(name);
  else expectUnavailable(answer);
  return answer;
}

function expectUnavailable(answer: Response): void {
  expectRefusal(answer, { status: 503, type: 'unavailable' });
  expect(answer.headers['retry-after']).toMatch(/^[1-9][0-9]*$/);
}

/** Creates records until one is refused. */
async function createUntilRefused(octets: number): Promise<void> {
  for (let at = 0; at < 500; at++) if ((await create(`until${String(at)}`, octets)).status !== 200) return;
  throw new Error('nothing was refused');
}

/** Alive, reading, and not ready. */
async function expectReadingOnly(): Promise<void> {
  await answerOf(client.plain('get', '/healthz'));
  expectUnavailable(await becomes(503));
  expect(await storedNames()).toEqual([...acknowledged].sort());
}

/** Ready and changing again, without anybody having touched the service. */
async function expectRecovery(): Promise<void> {
  await becomes(200);
  await bodyOf(domain.create({ name: domain.at('recovered'), type: 'A', data: '192.0.2.1' }));
  acknowledged.push(domain.at('recovered'));
  expect(await storedNames()).toEqual([...acknowledged].sort());
  expect(service.output().stderr).toBe('');
}

async function storedNames(): Promise<string[]> {
  return (await domain.records()).map(({ name }) => name).sort();
}

/** What /readyz says once it has that status. */
async function becomes(status: number): Promise<Response> {
  const ask = (): Test => client.plain('get', '/readyz');
  const deadline = performance.now() + LONGEST_RECOVERY + LONGEST_ANSWER;
  let answer = await ask();
  while (answer.status !== status && performance.now() < deadline) {
    await delay(100);
    answer = await ask();
  }
  expect(answer.status).toBe(status);
  return answer;
}

const disk = mountSmallDisk('8m');
disk?.remove();
if (disk === null) process.stderr.write('SKIPPED: tests with a disk of their own need the right to mount\n');

(disk === null ? describe.skip : describe)('a disk of its own', () => {
  let small: NonNullable<ReturnType<typeof mountSmallDisk>>;
  beforeEach(() => {
    small = mountSmallDisk('8m')!;
  });
  afterEach(async () => {
    await kill();
    small.remove();
  });

  it('2.3 that is full: changes are refused, reads go on, and it recovers when there is room', async () => {
    await start(small.directory);
    await create('before');
    const filler = join(directory, 'filler');
    await fill(filler);
    await createUntilRefused(20_000);
    await expectReadingOnly();
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => create(`together${String(at)}`, 20_000)));
    expect(answers.map(({ status }) => status)).toContain(503);
    await rm(filler);
    await expectRecovery();
    await create('after', 20_000);
    expect(acknowledged).toContain(domain.at('after'));
    await stop();
  });

  it('that is full when the service is killed: nothing acknowledged is lost', async () => {
    await start(small.directory);
    await create('before');
    const filler = join(directory, 'filler');
    await fill(filler);
    await createUntilRefused(20_000);
    await kill();
    await rm(filler);
    service = await startServiceProcess(directory, environmentOf(directory));
    domain = domainOf(clientsOf(service.url), domain);
    expect(await storedNames()).toEqual([...acknowledged].sort());
    await stop();
  });

  it('that is mounted read-only: the start is refused in one line, and works once it can be written to', async () => {
    await start(small.directory);
    await stop();
    small.remount('ro');
    const { code, stderr } = await runService(directory, environmentOf(directory));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^zonewright: cannot write to the database [^\n]*read-only file system[^\n]*\n$/);
    small.remount('rw');
    service = await startServiceProcess(directory, environmentOf(directory));
    await answerOf(clientsOf(service.url).plain('get', '/readyz'));
    await stop();
  });
});

const canFreeze = await immutableStopsWriters();
if (!canFreeze) process.stderr.write('SKIPPED: the test with a file that cannot be changed needs root and ext4\n');

describe('a database file', () => {
  beforeEach(async () => start(await mkdtemp(join(tmpdir(), 'zonewright-trouble-'))));
  afterEach(async () => {
    await kill();
    audit(file);
    await rm(directory, { recursive: true });
  });

  (canFreeze ? it : it.skip)(
    '2.3 that cannot be written to: changes are refused, reads go on, and it recovers',
    async () => {
      await create('before');
      const files = [file, `${file}-wal`];
      setImmutable(true, ...files);
      try {
        expect((await create('refused')).status).toBe(503);
        await expectReadingOnly();
      } finally {
        setImmutable(false, ...files);
      }
      await expectRecovery();
    },
  );

  it('2.3 that another process has locked: changes wait and are refused, reads go on, and it recovers', async () => {
    await create('before');
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    const changes = Promise.all([1, 2, 3].map((at) => create(`waiting${String(at)}`)));
    await expectReadingOnly();
    expect((await changes).map(({ status }) => status)).toEqual([503, 503, 503]);
    other.exec('ROLLBACK');
    other.close();
    await expectRecovery();
  });
});
