import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../support/sqlite.js';
import { audit } from '../support/audit.js';
import { bodyOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { type Ended, runCommand } from '../support/process.js';
import { databaseFileIn, environmentOf, startTestService, type TestService } from '../support/service.js';
import { startTokenService, type TokenService } from '../support/token-service.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { EVERYTHING_ON, Story } from './moment.js';
import { expectAhead, expectRaised, makeHistory } from './restored.js';
import { startWriting } from './writing.js';

let directory: string;
let file: string;
let service: TestService;
let receiver: WebhookReceiver | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-backup-'));
  file = databaseFileIn(directory);
  service = await startTestService({}, directory);
});
afterEach(async () => {
  await service.stop();
  await receiver?.stop();
  receiver = undefined;
  audit(file);
  await rm(directory, { recursive: true });
});

const zonewright = (...args: string[]): Promise<Ended> => runCommand(directory, environmentOf(directory), args);

function namesIn(path: string): string[] {
  const database = new Database(path, { readonly: true });
  const names = database.prepare('SELECT name FROM records ORDER BY id').pluck().all();
  database.close();
  return names as string[];
}

describe('17.4 zonewright backup', () => {
  it('copies one moment of the database while the service changes it, and overwrites nothing', async () => {
    const domain = await newDomain(service);
    const writing = startWriting(domain);
    await delay(200);
    const before = writing.names.length;
    expect(before).toBeGreaterThan(0);
    const { code, stdout, stderr } = await zonewright('backup', 'copy.sqlite');
    await writing.end();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^wrote copy\.sqlite and verified it: domains 1, records \d+\n$/);
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

  it('gives the reason in one line', async () => {
    const { code, stderr } = await zonewright('backup', 'no/such/directory/copy.sqlite');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^zonewright: cannot write \S+: there is no directory \S+no\/such\/directory\n$/);
  });
});

describe('a database that was restored', () => {
  it('has serials above all served ones once they are raised, and continues from there (attack case 110)', async () => {
    const history = await makeHistory(service, async () => {
      expect(await zonewright('backup', 'old.sqlite')).toMatchObject({ code: 0 });
    });
    await service.stop();
    await restore('old.sqlite');
    expectRaised(await zonewright('check', '--raise-serials'), 2);
    service = await startTestService({}, directory);
    await expectAhead(service, history);
  });

  it('has the tokens, keys and webhooks of the moment of the last copy', async () => {
    receiver = await WebhookReceiver.listening();
    const start = async (): Promise<TokenService> => {
      await service.stop();
      const started = await startTokenService(EVERYTHING_ON, directory);
      service = started;
      return started;
    };
    const before = await start();
    const story = await Story.before(before, receiver);
    expect(await zonewright('backup', 'old.sqlite')).toMatchObject({ code: 0 });
    await story.goOn(before);
    await service.stop();
    await restore('old.sqlite');
    expectRaised(await zonewright('check', '--raise-serials'), 1);
    await story.expectRestored(await start());
    const env = environmentOf(directory, EVERYTHING_ON);
    expect(await runCommand(directory, env, ['dnssec', 'check', story.domain.name])).toMatchObject({ code: 0 });
  });

  async function restore(backup: string): Promise<void> {
    for (const suffix of ['', '-wal', '-shm'])
      if (existsSync(file + suffix)) await rename(file + suffix, `${file}.lost${suffix}`);
    await copyFile(join(directory, backup), file);
  }
});
