import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import Database from 'better-sqlite3';
import { audit } from '../support/audit.js';
import { bodyOf, type DomainBody } from '../support/bodies.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { journalOf } from '../support/journal.js';
import { type Ended, runCommand } from '../support/process.js';
import { databaseFileIn, environmentOf, startTestService, type TestService } from '../support/service.js';

let directory: string;
let file: string;
let service: TestService;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-backup-'));
  file = databaseFileIn(directory);
  service = await startTestService({}, directory);
});
afterEach(async () => {
  await service.stop();
  audit(file);
  await rm(directory, { recursive: true });
});

const zonewright = (...args: string[]): Promise<Ended> => runCommand(directory, environmentOf(directory), args);

/** Creates records until it is told to end; returns the names that were acknowledged. */
function startWriting(domain: TestDomain): { readonly names: readonly string[]; end(): Promise<void> } {
  const names: string[] = [];
  const end = new AbortController();
  const write = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const name = domain.at(`h${String(names.length)}`);
      await bodyOf(domain.create({ name, type: 'A', data: '192.0.2.1' }));
      names.push(name);
    }
  };
  const writing = write();
  return {
    names,
    end: async () => {
      end.abort();
      await writing;
    },
  };
}

function namesIn(path: string): string[] {
  const database = new Database(path, { readonly: true });
  const names = database.prepare('SELECT name FROM records ORDER BY id').pluck().all();
  database.close();
  return names as string[];
}

describe('zonewright backup', () => {
  it('copies one moment of the database while the service changes it, and overwrites nothing', async () => {
    const domain = await newDomain(service);
    const writing = startWriting(domain);
    await delay(200);
    const before = writing.names.length;
    expect(before).toBeGreaterThan(0);
    const { code, stdout, stderr } = await zonewright('backup', 'copy.sqlite');
    await writing.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^wrote copy\.sqlite and found it sound: domains 1, records \d+\n$/);
    const copy = join(directory, 'copy.sqlite');
    audit(copy);
    const copied = namesIn(copy);
    expect(copied.length).toBeGreaterThanOrEqual(before);
    expect(copied).toEqual(writing.names.slice(0, copied.length));
    expect(((await stat(copy)).mode & 0o777).toString(8)).toBe('600');
    expect((await readdir(directory)).filter((name) => name.startsWith('copy'))).toEqual(['copy.sqlite']);

    const again = await zonewright('backup', 'copy.sqlite');
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/^zonewright: \S+copy\.sqlite exists already[^\n]*\n$/);
  });

  it('refuses to copy a database that is damaged, and leaves nothing', async () => {
    const domain = await newDomain(service);
    await bodyOf(domain.create({ name: domain.at('www'), type: 'TXT', data: 'x'.repeat(30_000) }));
    expect(await zonewright('backup', 'damaged.sqlite')).toMatchObject({ code: 0 });
    const damaged = await open(join(directory, 'damaged.sqlite'), 'r+');
    const { size } = await damaged.stat();
    await damaged.write(Buffer.alloc(size / 2, 0xff), 0, size / 2, size / 2);
    await damaged.close();
    const env = environmentOf(directory, { DATABASE__URL: 'sqlite:damaged.sqlite' });
    const { code, stderr } = await runCommand(directory, env, ['backup', 'copy.sqlite']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^zonewright: SqliteError: [^\n]+\n$/);
    expect((await readdir(directory)).filter((name) => name.startsWith('copy'))).toEqual([]);
  });

  it('says in one line why it cannot', async () => {
    const { code, stderr } = await zonewright('backup', 'no/such/directory/copy.sqlite');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^zonewright: [^\n]*ENOENT[^\n]*\n$/);
  });
});

describe('a database that was restored', () => {
  it('has its serials above all that were handed out, once they are raised, and goes on from there', async () => {
    const domains = [await newDomain(service), await newDomain(service)];
    for (const domain of domains) await bodyOf(domain.create({ name: domain.at('old'), type: 'A', data: '192.0.2.1' }));
    expect(await zonewright('backup', 'old.sqlite')).toMatchObject({ code: 0 });
    // More changes than seconds: the serials run ahead of the time.
    for (const domain of domains)
      for (let at = 0; at < 30; at++)
        await bodyOf(domain.create({ name: domain.at(`new${String(at)}`), type: 'A', data: '192.0.2.1' }));
    const handedOut = await Promise.all(domains.map(async (domain) => (await domain.now()).serial));
    await service.stop();

    await restore('old.sqlite');
    const { code, stdout } = await zonewright('check', '--raise-serials');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'serials raised: 2\nall counters agree with what they count\n',
    });
    service = await startTestService({}, directory);

    for (const [at, old] of domains.entries()) {
      const domain = domainOf(service, old);
      const { serial } = await domain.now();
      expect(serial).toBeGreaterThan(handedOut[at]! + 900_000);
      expect((await domain.records()).map(({ name }) => name)).toEqual([domain.at('old')]);
      await bodyOf(domain.create({ name: domain.at('newer'), type: 'A', data: '192.0.2.1' }));
      expect((await domain.now()).serial).toBe(serial + 1);
    }
  });

  async function restore(backup: string): Promise<void> {
    for (const suffix of ['', '-wal', '-shm'])
      if (existsSync(file + suffix)) await rename(file + suffix, `${file}.lost${suffix}`);
    await copyFile(join(directory, backup), file);
  }
});

describe('zonewright check --raise-serials', () => {
  it('journals each raise, also while the service changes the domains', async () => {
    const domains = await Promise.all(Array.from({ length: 5 }, () => newDomain(service)));
    const writings = domains.map(startWriting);
    const { code, stderr } = await zonewright('check', '--raise-serials', '--by', '5000');
    const told = await Promise.all(domains.map(async (domain) => (await domain.now()).serial));
    for (const writing of writings) await writing.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const [at, domain] of domains.entries()) {
      const story = journalOf(file, domain.id);
      const raised = story.findIndex(({ action }) => action === 'domain.serial');
      const [before, entry] = [story[raised - 1]!, story[raised]!];
      expect(story.filter(({ action }) => action === 'domain.serial')).toHaveLength(1);
      expect(entry.serial - before.serial).toBeGreaterThan(5000);
      expect(entry).toMatchObject({
        before: { serial: before.serial },
        after: { serial: entry.serial },
        request_id: expect.stringMatching(/^cli-/),
      });
      expect(told[at]).toBeGreaterThanOrEqual(entry.serial);
    }
  });

  it('raises above serials that run ahead of the time', async () => {
    const domain = await newDomain(service);
    const serials: number[] = [];
    for (let times = 0; times < 2; times++) {
      expect(await zonewright('check', '--raise-serials', '--by', '1000000')).toMatchObject({ code: 0 });
      serials.push((await domain.now()).serial);
    }
    expect(serials.map((serial, at) => serial - (serials[at - 1] ?? serial))).toEqual([0, 1_000_001]);
    expect((await bodyOf<DomainBody>(service.call('put', `/v1/domains/${domain.id}`, { ttl: 60 }))).serial).toBe(
      serials[1]! + 1,
    );
  });

  it('refuses a margin that is none', async () => {
    for (const { code, stderr } of await Promise.all(
      ['0', '1073741825'].map((by) => zonewright('check', '--raise-serials', '--by', by)),
    )) {
      expect(code).toBe(1);
      expect(stderr).toMatch(/^zonewright: --by[^\n]*\n$/);
    }
  });
});
