import { copyFile, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../support/sqlite.js';
import { answerOf, bodyOf, expectRefusal } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain } from '../support/domain.js';
import {
  type Ended,
  killAll,
  runCommand,
  runService,
  type ServiceProcess,
  startServiceProcess,
} from '../support/process.js';
import { type Client, clientsOf, databaseFileIn, environmentOf } from '../support/service.js';
import { lookInto } from '../support/stored.js';

// Several starts and stops each.
let directory: string;
let file: string;
let service: ServiceProcess | null;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-log-'));
  file = databaseFileIn(directory);
  service = null;
});
afterEach(async () => {
  if (service !== null) killAll(service);
  await service?.ended;
  await rm(directory, { recursive: true });
});

async function start(place = directory, settings = {}): Promise<Client> {
  service = await startServiceProcess(place, environmentOf(place, settings));
  return clientsOf(service.url);
}

async function stop(name: NodeJS.Signals): Promise<Ended | undefined> {
  service?.signal(name);
  return service?.ended;
}

const makeDomain = (client: Client, name = 'kept.example.org.') =>
  client.call('post', '/v1/domains', { name, email: 'hostmaster@example.org' });

async function names(client: Client): Promise<string[]> {
  const { domains } = await bodyOf<{ domains: { name: string }[] }>(client.call('get', '/v1/domains'));
  return domains.map(({ name }) => name);
}

describe('a stopped service', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('leaves a file that is whole by itself after %s', async (signal) => {
    const client = await start();
    await answerOf(makeDomain(client));
    // A client that has read holds its own connection.
    await names(client);
    await stop(signal);
    expect((await readdir(directory)).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
    await expectWhole('kept.example.org.');
  });

  it('leaves it whole although it was asked until the end', async () => {
    const client = await start();
    await answerOf(makeDomain(client));
    const asking = Array.from({ length: 50 }, () => client.call('get', '/v1/domains').then(null, () => undefined));
    await stop('SIGTERM');
    await Promise.all(asking);
    await expectWhole('kept.example.org.');
  });

  it.each([['migrate'], ['check'], ['token', 'list']])('so does a command: %s', async (...args) => {
    await answerOf(makeDomain(await start()));
    await stop('SIGKILL');
    expect(await runCommand(directory, environmentOf(directory), args)).toMatchObject({ code: 0 });
    await expectWhole('kept.example.org.');
  });
});

describe('a log that grows', () => {
  const MIB = 2 ** 20;
  const LARGE = 'x'.repeat(50_000);
  const CHANGERS = 8;
  /** Changes of each record. A change writes at least six times the value, all of them 96 MB. */
  const CHANGES = 40;

  it('is copied during changes: it stays short, and a stopped service leaves no log files', async () => {
    const domain = await newDomain(await start());
    const { id } = await domain.newRecord({ name: domain.name, type: 'TXT', data: LARGE });
    const sizes: number[] = [];
    const change = async (changer: number, at: number) => {
      await answerOf(domain.update(id, { data: `${String(changer)}-${String(at)}-${LARGE}` }));
      sizes.push((await stat(`${file}-wal`)).size);
    };
    const changeOften = async (changer: number) => {
      for (let at = 0; at < CHANGES; at++) await change(changer, at);
    };
    await Promise.all(Array.from({ length: CHANGERS }, (_, changer) => changeOften(changer)));
    // Without the thread commits would begin at 64 MiB.
    expect(Math.max(...sizes)).toBeGreaterThan(16 * MIB);
    expect(Math.max(...sizes)).toBeLessThan(56 * MIB);
    const { code, stderr } = (await stop('SIGTERM'))!;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await readdir(directory)).filter((name) => /-(wal|shm)$/.test(name))).toEqual([]);
    await expectWhole(domain.name);
  });
});

/** Copies only the file, like a backup that ignores the log. */
async function expectWhole(...domains: string[]): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'zonewright-copy-'));
  try {
    const copy = databaseFileIn(place);
    await copyFile(file, copy);
    const stored = lookInto(copy, ({ rows }) => rows<{ name: string }>('SELECT name FROM zones ORDER BY id'));
    expect(stored.map(({ name }) => name)).toEqual(domains);
    audit(copy);
  } finally {
    await rm(place, { recursive: true });
  }
}

describe('a start without the log file', () => {
  const TOKENS = { SERVICE_API__AUTH_STRATEGY: 'token' };

  /** @param line the text that the single error line must contain */
  async function expectRefused(line: string): Promise<void> {
    const { code, stdout, stderr } = await runService(directory, { ...environmentOf(directory, TOKENS), ...NOWHERE });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^zonewright: [^\n]+\n$/);
    expect(stderr).toContain(line);
  }

  it('is refused on a file whose contents were all in its log', async () => {
    const other = new Database(join(directory, 'other.sqlite'));
    other.pragma('journal_mode = WAL');
    other.exec('CREATE TABLE zones (id TEXT)');
    await copyFile(join(directory, 'other.sqlite'), file);
    other.close();
    await expectRefused('test.sqlite-wal');
  });

  it('is refused where the index of a log exists without the log', async () => {
    await start(directory, TOKENS);
    await stop('SIGKILL');
    await rm(`${file}-wal`);
    await expectRefused('test.sqlite-wal');
  });

  it('is no trouble on an empty file, nor in an empty directory', async () => {
    await writeFile(file, '');
    for (let starts = 0; starts < 2; starts++) {
      await start(directory, TOKENS);
      expect(await stop('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    }
  });
});

/** An address that no interface has: a start that is not refused fails anyway and leaves no process running. */
const NOWHERE = { ZONEWRIGHT_SERVICE_API__LISTEN: '192.0.2.1:9' };

describe('the log of a running service', () => {
  it('that is moved away is noticed: changes are refused until it is back', async () => {
    const client = await start();
    await answerOf(makeDomain(client, 'before.example.org.'));
    await rename(`${file}-wal`, `${file}-wal.aside`);
    expectRefusal(await makeDomain(client, 'refused.example.org.'), { status: 503, type: 'unavailable' });
    expect(await becomesReady(client)).toBe(503);
    await rename(`${file}-wal.aside`, `${file}-wal`);
    await delay(500);
    await answerOf(makeDomain(client, 'after.example.org.'));
    expect(await names(client)).toEqual(['before.example.org.', 'after.example.org.']);
    await stop('SIGTERM');
    audit(file);
  });
});

async function becomesReady(client: Client): Promise<number> {
  await client.call('get', '/readyz');
  await delay(1000);
  return (await client.call('get', '/readyz')).status;
}
