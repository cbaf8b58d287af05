import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { makePreRelease } from '../support/pre-release.js';
import { type Ended, runCommand, runService } from '../support/process.js';
import { databaseFileIn, environmentOf, type Settings, startTestService } from '../support/service.js';

jest.setTimeout(120_000);

let directory: string;
let file: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-check-'));
  file = databaseFileIn(directory);
});
afterEach(() => rm(directory, { recursive: true }));

const zonewright = (args: readonly string[], settings: Settings = {}): Promise<Ended> =>
  runCommand(directory, environmentOf(directory, settings), args);

/** As a failing disk would, behind the first pages. */
async function overwrite(path: string, from: number, octets: number): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.write(Buffer.alloc(octets, 0xa5), 0, octets, from);
  await handle.close();
}

describe('17.4 zonewright check of a damaged file', () => {
  it('reports the errors of SQLite, repairs nothing, and exits with 1', async () => {
    const service = await startTestService({}, directory);
    const domain = await newDomain(service);
    const changes = Array.from({ length: 200 }, (_, at) => ({
      action: 'create',
      record: { name: domain.at(`h${at}`), type: 'A', data: '192.0.2.1' },
    }));
    await answerOf(service.call('post', `/v1/domains/${domain.id}/changes`, { changes }));
    await service.stop();
    const sound = await zonewright(['check']);
    expect(sound).toMatchObject({ code: 0, stderr: '' });
    expect(sound.stdout).toBe('SQLite finds the file sound\nall counters agree with what they count\n');

    const handle = await open(file, 'r');
    const { size } = await handle.stat();
    await handle.close();
    await overwrite(file, Math.floor(size / 2), 5000);
    for (const args of [['check'], ['check', '--fix']]) {
      const { code, stdout, stderr } = await zonewright(args);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: 'zonewright: the database is damaged: put back a backup; see docs/operating/backup.md\n',
      });
      expect(stdout).not.toBe('');
      expect(stdout).not.toMatch(/counters|sound/);
    }
  });
});

describe('18.6 nothing but serve and migrate makes a database', () => {
  it('by every command in a wrong directory', async () => {
    const wrong = join(directory, 'wrong');
    await mkdir(wrong);
    const env = environmentOf(directory, { DATABASE__URL: 'sqlite:data/zonewright.sqlite' });
    for (const args of [['check'], ['backup', 'copy.sqlite']]) {
      const { code, stdout, stderr } = await runCommand(wrong, env, args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^zonewright: there is no database \S+\/wrong\/data\/zonewright\.sqlite: run this where the service runs, or name its configuration by --config-file; zonewright migrate makes a new one\n$/,
      );
    }
    expect(await readdir(wrong)).toEqual([]);
  });

  it('and an in-memory database cannot be inspected', async () => {
    const { code, stderr } = await zonewright(['check'], { DATABASE__URL: 'sqlite::memory:' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^zonewright: a database in memory [^\n]+\n$/);
  });
});

describe('18.6 the directory of the database', () => {
  it('is not created when its name is mistyped; the error suggests a name', async () => {
    await mkdir(join(directory, 'zonewright'));
    const settings = { DATABASE__URL: `sqlite:${join(directory, 'zonewrigth', 'zonewright.sqlite')}` };
    for (const run of [runService(directory, environmentOf(directory, settings)), zonewright(['migrate'], settings)]) {
      const { code, stdout, stderr } = await run;
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        /^zonewright: cannot open the database \S+: there is no directory \S+\/zonewrigth; is \S+\/zonewright meant\? Correct \[database\] url, or make the directory [^\n]+\n$/,
      );
    }
    expect(await readdir(directory)).toEqual(['zonewright']);
  });

  it('is created as data/ in the working directory, as on a fresh clone', async () => {
    const env = environmentOf(directory, { DATABASE__URL: 'sqlite:data/zonewright.sqlite' });
    expect(await runCommand(directory, env, ['migrate'])).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(join(directory, 'data'))).toContain('zonewright.sqlite');
  });
});

describe('17.4 zonewright backup', () => {
  it('copies the database of an older release as it is', async () => {
    const service = await startTestService({}, directory);
    const domain = await newDomain(service);
    for (let at = 0; at < 10; at++) await domain.newRecord({ name: domain.at(`h${at}`) });
    await service.stop();
    makePreRelease(file);
    expect(await zonewright(['backup', 'copy.sqlite'])).toEqual({
      code: 0,
      stdout: 'wrote copy.sqlite and verified it: domains 1, records 10; its schema is that of another release\n',
      stderr: '',
    });
    const restored = { DATABASE__URL: `sqlite:${join(directory, 'copy.sqlite')}` };
    expect(await zonewright(['migrate'], restored)).toMatchObject({ code: 0 });
    expect(await zonewright(['check'], restored)).toMatchObject({ code: 0 });
  });

  it('refuses a foreign database, and leaves no files', async () => {
    await (await open(file, 'w')).close();
    const { code, stderr } = await zonewright(['backup', 'copy.sqlite']);
    expect(code).toBe(1);
    expect(stderr).toBe('zonewright: there is nothing to back up: the database has no schema of Zonewright\n');
    expect((await readdir(directory)).filter((name) => name.startsWith('copy'))).toEqual([]);
  });
});
