import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect } from '@jest/globals';
import { audit } from '../support/audit.js';
import { DEBIAN_POSTGRES, type DebianPostgres, startDebianPostgres } from '../support/postgres/debian.js';
import { newDomain } from '../support/domain.js';
import { runCommand } from '../support/process.js';
import { itWith, run } from '../support/run-program.js';
import { environmentOf, startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { expectAhead, expectRaised, makeHistory } from './restored.js';
import { startWriting } from './writing.js';

let directory: string;
let server: DebianPostgres | undefined;
let service: TestService | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-backup-'));
});
afterEach(async () => {
  await service?.stop();
  await server?.remove();
  await rm(directory, { recursive: true });
});

function namesIn(database: string, zoneId: string): string[] {
  const records = lookInto(database, ({ rows }) =>
    rows<{ name: string }>('SELECT name FROM records WHERE zone_id = ? ORDER BY id', zoneId),
  );
  return records.map(({ name }) => name);
}

describe('pg_dump and pg_restore', () => {
  /** As in docs/operating/backup.md, with the server's address in place of the environment's. */
  async function succeed(command: string, ...parameters: string[]): Promise<void> {
    const { failed, output } = await run(command, parameters);
    expect({ failed, output }).toEqual({ failed: false, output: '' });
  }

  itWith(DEBIAN_POSTGRES)(
    'copy one moment while the service changes it; restored and raised, its serials are above all that were handed out',
    async () => {
      const { url } = (server = await startDebianPostgres());
      const database = (name: string): string => Object.assign(new URL(url), { pathname: name }).href;
      const create = (name: string): Promise<void> =>
        succeed('createdb', '--maintenance-db', url, '--encoding', 'UTF8', '--template', 'template0', name);
      const settings = (name: string) => ({ DATABASE__URL: database(name) });
      const dump = join(directory, 'backup.dump');

      await create('zonewright');
      service = await startTestService(settings('zonewright'), directory);
      const busy = await newDomain(service);
      const writing = startWriting(busy);
      await delay(200);
      let before = 0;
      const history = await makeHistory(service, async () => {
        before = writing.names.length;
        await succeed('pg_dump', '--format=custom', `--file=${dump}`, database('zonewright'));
      });
      await writing.end();
      await create('restored');
      await succeed('pg_restore', '--exit-on-error', `--dbname=${database('restored')}`, dump);
      await service.stop();
      audit(database('restored'));
      const copied = namesIn(database('restored'), busy.id);
      expect(before).toBeGreaterThan(0);
      expect(copied.length).toBeGreaterThanOrEqual(before);
      expect(copied).toEqual(writing.names.slice(0, copied.length));

      const env = environmentOf(directory, settings('restored'));
      expectRaised(await runCommand(directory, env, ['check', '--raise-serials']), 3);
      service = await startTestService(settings('restored'), directory);
      await expectAhead(service, history);
      audit(database('restored'));
    },
  );
});
