import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommand } from '../support/process.js';

const KEEPS = 'enableCompileCache' in module;

describe('the compile cache of Node.js', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zonewright-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is stored in the folder of systemd, by versions with support', async () => {
    const env = { CACHE_DIRECTORY: join(folder, 'cache') };
    expect(await runCommand(folder, env, ['--version'])).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(folder)).toEqual(KEEPS ? ['cache'] : []);
  });

  it('is not missed where it cannot be kept', async () => {
    await writeFile(join(folder, 'file'), '');
    const env = { CACHE_DIRECTORY: join(folder, 'file', 'cache') };
    expect(await runCommand(folder, env, ['--version'])).toMatchObject({ code: 0, stderr: '' });
  });
});
