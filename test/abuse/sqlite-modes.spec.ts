import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf } from '../support/answers.js';
import { killAll, runCommand, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, environmentOf, type Settings } from '../support/service.js';

let directory: string;
let service: ServiceProcess | null;
let umask: number;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-modes-'));
  service = null;
  umask = process.umask(0);
});
afterEach(async () => {
  process.umask(umask);
  if (service !== null) killAll(service);
  await service?.ended;
  await rm(directory, { recursive: true });
});

/** The database has its own directory, which the service creates. */
const settings = (): Settings => ({
  SERVICE_API__AUTH_STRATEGY: 'token',
  DATABASE__URL: `sqlite:${join(directory, 'data', 'test.sqlite')}`,
});

async function modes(): Promise<Record<string, string>> {
  const data = join(directory, 'data');
  const paths = [data, ...(await readdir(data)).map((name) => join(data, name))];
  const found = await Promise.all(paths.map(async (path) => [path, (await stat(path)).mode & 0o777] as const));
  return Object.fromEntries(found.map(([path, mode]) => [path.slice(directory.length + 1), mode.toString(8)]));
}

describe.each(['000', '022'])('under the umask %s', (mask) => {
  beforeEach(() => {
    process.umask(mask);
  });

  it('database, log and first token are for their owner only, and so is their directory', async () => {
    service = await startServiceProcess(directory, environmentOf(directory, settings()));
    expect(await modes()).toEqual({
      data: '700',
      'data/admin-token': '600',
      'data/test.sqlite': '600',
      'data/test.sqlite-shm': '600',
      'data/test.sqlite-wal': '600',
    });
    expect(service.output().stderr).toBe('');
  });

  it('applies to a backup and to command output', async () => {
    const env = environmentOf(directory, settings());
    expect(await runCommand(directory, env, ['migrate'])).toMatchObject({ code: 0 });
    expect(await runCommand(directory, env, ['backup', 'data/backup.sqlite'])).toMatchObject({ code: 0 });
    const found = await modes();
    expect(found).toMatchObject({ data: '700', 'data/test.sqlite': '600', 'data/backup.sqlite': '600' });
    expect(new Set(Object.values(found))).toEqual(new Set(['700', '600']));
  });
});

describe('existing files with open permissions', () => {
  it('is named in a warning at startup, and not changed', async () => {
    const data = join(directory, 'data');
    await mkdir(data, { mode: 0o755 });
    const env = environmentOf(directory, settings());
    await runCommand(directory, env, ['migrate']);
    await chmod(join(data, 'test.sqlite'), 0o644);
    service = await startServiceProcess(directory, env);
    await answerOf(clientsOf(service.url).plain('get', '/readyz'));
    const { stdout, stderr } = service.output();
    const warnings = `${stdout}${stderr}`.split('\n').filter((line) => /warn/i.test(line) || line.includes('chmod'));
    expect(warnings.join('\n')).toContain(join(data, 'test.sqlite'));
    expect(warnings.join('\n')).toMatch(new RegExp(`${data}\\b`));
    expect(await modes()).toMatchObject({ data: '755', 'data/test.sqlite': '644' });
  });
});
