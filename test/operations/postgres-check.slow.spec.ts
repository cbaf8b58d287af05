import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Ended, runCommand } from '../support/process.js';
import { databaseFileIn, environmentOf, removeTestData, startTestService } from '../support/service.js';
import { executeIn } from '../support/stored.js';

jest.setTimeout(120_000);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-check-'));
});
afterEach(() => removeTestData(directory));

const zonewright = (...args: string[]): Promise<Ended> => runCommand(directory, environmentOf(directory), args);
const execute = (sql: string): void => executeIn(databaseFileIn(directory), sql);

describe('17.4 zonewright check on PostgreSQL', () => {
  it('reports a skipped check where amcheck is missing, and otherwise checks everything', async () => {
    const service = await startTestService({}, directory);
    await service.stop();
    expect(await zonewright('check')).toEqual({
      code: 0,
      stdout:
        'not checked by PostgreSQL itself, since the extension amcheck is not in this database; see docs/operating.md\n' +
        'all counters agree with what they count\n',
      stderr: '',
    });
    execute('CREATE SCHEMA extensions');
    execute('CREATE EXTENSION amcheck SCHEMA extensions');
    expect(await zonewright('check')).toEqual({
      code: 0,
      stdout: 'PostgreSQL finds the tables and indexes sound\nall counters agree with what they count\n',
      stderr: '',
    });
    // A row that the index does not have, as a crash of a machine with lying disks leaves it.
    const ready = (isReady: boolean): string =>
      `UPDATE pg_index SET indisready = ${isReady} WHERE indrelid = 'tenants'::regclass`;
    execute(ready(false));
    execute("INSERT INTO tenants (id, zone_count) VALUES ('lost', 0)");
    execute(ready(true));
    const { code, stdout, stderr } = await zonewright('check', '--fix');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'zonewright: the database is damaged: put back a backup; see docs/operating/backup.md\n',
    });
    expect(stdout).toMatch(/^index \S+: heap tuple .* from table "tenants" lacks matching index tuple within index /m);
  });
});
