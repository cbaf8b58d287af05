import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { nsdControlCommand, serialOf } from '../support/name-servers/name-servers.js';
import { COMMAND_LINE } from '../support/process.js';
import { itWith, missingPackages, run } from '../support/run-program.js';
import { Pool, until } from './pool.js';
import { serversOf } from './software.js';

const NSD = serversOf(['NSD']);
const FIXED = 'fixed.example.org';

const itOnNsd = itWith(NSD);

let directory: string;
let pool: Pool;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-nsd-'));
  const servers = missingPackages(NSD.needs).length > 0 ? [] : (['NSD'] as const);
  pool = await Pool.start({ directory, servers, zones: [FIXED] });
});
afterAll(() => pool.stop());

async function sync(): Promise<string> {
  const control = nsdControlCommand(pool.server('NSD'));
  const { stdout, stderr, code } = await pool.command('pool', 'sync', '--pattern', 'zonewright', '--control', control);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** As docs/publishing.md has it for an NSD on another machine. */
async function syncByPrinting(): Promise<void> {
  const control = join(directory, 'nsd-control');
  await writeFile(control, `#!/bin/sh\nexec ${nsdControlCommand(pool.server('NSD'))} "$@"\n`);
  await chmod(control, 0o755);
  const settings = Object.entries(pool.environment).map(([name, value]) => `${name}='${value}'`);
  const zonewright = `env ${settings.join(' ')} ${process.execPath} ${COMMAND_LINE}`;
  const pipe = `nsd-control zonestatus | ${zonewright} pool sync --pattern zonewright | sh`;
  const { failed, output } = await run('sh', ['-c', `cd ${directory} && PATH=${directory}:$PATH && ${pipe}`]);
  expect({ failed, output }).toEqual({ failed: false, output: expect.anything() });
}

const isGone = ({ name }: TestDomain): Promise<void> =>
  until(`${name} is gone`, async () => (await serialOf(pool.server('NSD').port, name)) === null);

describe('zonewright pool sync, with NSD', () => {
  itOnNsd('12.1 makes it serve the current zones, and may be repeated', async () => {
    const [one, other] = [await newDomain(pool.clients), await newDomain(pool.clients)];
    expect(await sync()).toBe('added 2, removed 0\n');
    for (const domain of [one, other]) await pool.expectExport(domain);
    expect(await sync()).toBe('added 0, removed 0\n');
    await answerOf(pool.clients.call('delete', `/v1/domains/${other.id}`));
    const third = await newDomain(pool.clients, 'MIXED.case.example.org.');
    expect(await sync()).toBe('added 1, removed 1\n');
    await isGone(other);
    for (const domain of [one, third]) await pool.expectExport(domain);
    expect(await sync()).toBe('added 0, removed 0\n');
  });

  itOnNsd('12.1 ignores zones in its configuration file', async () => {
    const fixed = await newDomain(pool.clients, `${FIXED}.`);
    expect(await sync()).toBe('added 0, removed 0\n');
    await pool.expectExport(fixed);
    await answerOf(pool.clients.call('delete', `/v1/domains/${fixed.id}`));
    expect(await sync()).toBe('added 0, removed 0\n');
  });

  itOnNsd('12.1 prints the commands for another machine', async () => {
    const domain = await newDomain(pool.clients);
    await syncByPrinting();
    await pool.expectExport(domain);
    await answerOf(pool.clients.call('delete', `/v1/domains/${domain.id}`));
    await syncByPrinting();
    await isGone(domain);
    expect(await sync()).toBe('added 0, removed 0\n');
  });
});
