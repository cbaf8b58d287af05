import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryDirectories } from '../support/directory.js';

const SCRIPTS = resolve(import.meta.dirname, '../../scripts');
const newDirectory = temporaryDirectories();

/** As in src/database/sqlite/sqlite-driver.ts: no compilation from Node-API 10 on. */
const COMPILES = Number(process.versions.napi) < 10;
const BUILT = 'node_modules/better-sqlite3/built';

/** A fake npm: logs its calls, and installs a fake SQLite driver and compiler that log too. */
const NPM = `#!/usr/bin/env node
import { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const [command, ...rest] = process.argv.slice(2);
const { devDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
appendFileSync(process.env.CALLS, ['npm', command, ...rest, ...Object.keys(devDependencies)].join(' ') + '\\n');
if (command === process.env.NPM_FAILS) {
  console.error('npm cannot do that');
  process.exit(1);
}
mkdirSync('node_modules/typescript/bin', { recursive: true });
mkdirSync('node_modules/better-sqlite3', { recursive: true });
writeFileSync('node_modules/better-sqlite3/package.json', '{}');
if (!rest.includes('--ignore-scripts')) writeFileSync('node_modules/better-sqlite3/built', '');
writeFileSync('node_modules/typescript/bin/tsc', \`
  const fs = require('node:fs');
  fs.appendFileSync(process.env.CALLS, 'tsc\\\\n');
  if (process.env.TSC_FAILS) process.exit(1);
  fs.cpSync('src', 'dist/src', { recursive: true });
  for (const name of fs.readdirSync('dist/src', { recursive: true }).filter((file) => file.endsWith('.ts')))
    fs.renameSync('dist/src/' + name, 'dist/src/' + name.replace('.ts', '.js'));
\`);
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const chosen = process.env.INSTALLS?.split(' ').map((name) => 'node_modules/' + name);
for (const place of Object.keys(packages)) if (place === '' || chosen?.includes(place) === false) delete packages[place];
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages }));
`;

/**
 * A fake of src/database/sqlite/sqlite-driver.ts. Like native modules in Node.js: a failed load stays failed for the
 * process.
 */
const DRIVER = `
import { existsSync, writeFileSync } from 'node:fs';
const poisoned = 'poisoned-' + process.pid;
export function loadSqlite() {
  if ((Number(process.versions.napi) >= 10 || existsSync('node_modules/better-sqlite3/built')) && !existsSync(poisoned)) return;
  writeFileSync(poisoned, '');
  throw new Error('Module did not self-register');
}
`;

interface Prepared {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('scripts/prepare.mjs', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await newDirectory();
    await mkdir(join(directory, 'scripts'));
    for (const script of ['prepare.mjs', 'install.mjs'])
      await copyFile(join(SCRIPTS, script), join(directory, 'scripts', script));
    await write('package.json', '{ "type": "module", "engines": { "node": ">=20.19" } }');
    await writeLock('1.0.0');
    await write('src/main.ts', '');
    await write('src/database/sqlite/sqlite-driver.ts', DRIVER);
    await write('bin/npm', NPM);
    await chmod(join(directory, 'bin/npm'), 0o755);
  });

  async function write(name: string, content: string): Promise<void> {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }

  function writeLock(version: string): Promise<void> {
    const packages = {
      '': {},
      'node_modules/a': { version },
      'node_modules/for-other-platforms': { version, optional: true },
    };
    return write('package-lock.json', JSON.stringify({ packages }));
  }

  function prepare(env: Record<string, string> = {}, script = 'scripts/prepare.mjs'): Promise<Prepared> {
    const PATH = `${join(directory, 'bin')}${delimiter}${process.env.PATH ?? ''}`;
    const options = { cwd: directory, env: { ...process.env, PATH, CALLS: join(directory, 'calls'), ...env } };
    return new Promise((resolve) => {
      execFile(process.execPath, [script], options, (error, stdout, stderr) => {
        resolve({ code: Number(error?.code ?? 0), stdout, stderr });
      });
    });
  }

  /** The commands that were run since the last time it was asked. */
  async function calls(): Promise<string[]> {
    const text = await readFile(join(directory, 'calls'), 'utf8').catch(() => '');
    await rm(join(directory, 'calls'), { force: true });
    return text.split('\n').filter(Boolean);
  }

  async function prepareFresh(): Promise<void> {
    expect(await prepare()).toMatchObject({ code: 0 });
    expect(await calls()).toEqual(['npm ci --include=dev', 'tsc']);
  }

  it('installs and builds a fresh clone, writes nothing to stdout, and is silent when up to date', async () => {
    expect(await prepare()).toEqual({
      code: 0,
      stdout: '',
      stderr: 'zonewright: installing dependencies\nzonewright: building\n',
    });
    expect(await calls()).toEqual(['npm ci --include=dev', 'tsc']);
    expect(await prepare()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await calls()).toEqual([]);
  });

  it('ends with the error of npm when npm ci does not accept the lock', async () => {
    const { code, stderr } = await prepare({ NPM_FAILS: 'ci' });
    expect(code).toBe(1);
    expect(stderr).toContain('Command failed: npm ci --include=dev\nnpm cannot do that\n');
    expect(await calls()).toEqual(['npm ci --include=dev']);
  });

  describe('for a start', () => {
    const START = "import { prepare } from './scripts/prepare.mjs'; await prepare();";
    const START_INSTALLATION = 'npm ci --include=dev --ignore-scripts typescript';
    const COMPILATION = COMPILES ? ['npm rebuild better-sqlite3 jest typescript'] : [];

    beforeEach(async () => {
      await write('start.mjs', START);
      const devDependencies = { jest: '1.0.0', typescript: '1.0.0' };
      await write('package.json', JSON.stringify({ type: 'module', engines: { node: '>=20.19' }, devDependencies }));
      const packages = {
        '': { devDependencies },
        'node_modules/a': { version: '1.0.0' },
        'node_modules/jest': { version: '1.0.0', dev: true },
        'node_modules/typescript': { version: '1.0.0', dev: true },
      };
      await write('package-lock.json', JSON.stringify({ packages }));
    });

    it('installs only the packages of a build, and compiles better-sqlite3 meanwhile', async () => {
      expect(await prepare({}, 'start.mjs')).toMatchObject({ code: 0, stdout: '' });
      const called = await calls();
      expect(called[0]).toBe(START_INSTALLATION);
      expect(called.slice(1).sort()).toEqual([...COMPILATION, 'tsc']);
      expect(await prepare({}, 'start.mjs')).toMatchObject({ code: 0, stderr: '' });
    });

    (COMPILES ? it : it.skip)('compiles better-sqlite3 once, and names the setting that a failure needs', async () => {
      const { code, stderr } = await prepare({ NPM_FAILS: 'rebuild' }, 'start.mjs');
      expect(code).toBe(1);
      expect(stderr).toMatch(/npm cannot do that\n[^]*npm_config_nodedir/);
      expect((await calls()).filter((call) => call.startsWith('npm rebuild'))).toHaveLength(1);
    });

    it('leaves the remaining packages to the first script that needs them', async () => {
      expect(await prepare({ INSTALLS: 'a typescript' }, 'start.mjs')).toMatchObject({ code: 0 });
      await calls();
      expect(await prepare()).toMatchObject({ code: 0 });
      expect(await calls()).toEqual(['npm install --no-save --include=dev jest typescript']);
    });

    it('keeps an installation when npm ci fails', async () => {
      await prepare({ INSTALLS: 'a typescript' }, 'start.mjs');
      await write('src/main.ts', 'changed');
      await writeLock('1.0.1');
      expect(await prepare({ NPM_FAILS: 'ci' }, 'start.mjs')).toMatchObject({ code: 1 });
      expect(await readFile(join(directory, 'node_modules/typescript/bin/tsc'), 'utf8')).not.toBe('');
    });
  });

  it('installs packages of a newer lock', async () => {
    await prepareFresh();
    await writeLock('1.0.1');
    expect(await prepare()).toMatchObject({ code: 0 });
    expect(await calls()).toEqual(['npm install --no-save --include=dev']);
  });

  it('builds after a source change, without the output of deleted sources', async () => {
    await write('src/renamed.ts', '');
    await prepareFresh();
    await rm(join(directory, 'src/renamed.ts'));
    expect(await prepare()).toMatchObject({ code: 0 });
    expect(await calls()).toEqual(['tsc']);
    await expect(readFile(join(directory, 'dist/src/renamed.js'))).rejects.toThrow('ENOENT');
  });

  it('builds again after a build that failed, also when the sources are as they were before it', async () => {
    await prepareFresh();
    await write('src/main.ts', 'wrong');
    expect(await prepare({ TSC_FAILS: 'yes' })).toMatchObject({ code: 1 });
    await write('src/main.ts', '');
    expect(await prepare()).toMatchObject({ code: 0 });
    expect(await calls()).toEqual(['tsc', 'tsc']);
  });

  it('does not build for a spec', async () => {
    await prepareFresh();
    await write('src/main.spec.ts', '');
    expect(await prepare()).toMatchObject({ code: 0 });
    expect(await calls()).toEqual([]);
  });

  // Newer ones load a driver that comes built.
  (COMPILES ? it : it.skip).each([
    ['another Node.js has built it', BUILT, ['npm rebuild better-sqlite3']],
    [
      'npm has left it out',
      dirname(BUILT),
      ['npm install --no-save --include=dev --ignore-scripts', 'npm rebuild better-sqlite3'],
    ],
  ])('builds better-sqlite3 when %s, and starts at once', async (_, gone, expected) => {
    await prepareFresh();
    await rm(join(directory, gone), { recursive: true });
    const start =
      "await (await import('./scripts/prepare.mjs')).prepare(); (await import('./dist/src/database/sqlite/sqlite-driver.js')).loadSqlite();";
    await write('start.mjs', start);
    expect(await prepare({}, 'start.mjs')).toMatchObject({ code: 0 });
    expect(await calls()).toEqual(expected);
  });

  it('works once when several processes start together', async () => {
    const processes = await Promise.all([prepare(), prepare(), prepare()]);
    expect(processes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await calls()).toEqual(['npm ci --include=dev', 'tsc']);
  });

  it('is not held up by a process that ended in the middle', async () => {
    const { pid } = await ended();
    await write('dist/.prepare.lock', String(pid));
    await prepareFresh();
  });

  it('exits with the output of the command', async () => {
    await prepareFresh();
    await writeLock('1.0.1');
    const { code, stderr } = await prepare({ NPM_FAILS: 'install' });
    expect(code).toBe(1);
    expect(stderr).toContain('installing missing and changed packages\n');
    expect(stderr).toContain('Command failed: npm install --no-save --include=dev\nnpm cannot do that\n');
  });

  it('names the required Node.js version', async () => {
    await write('package.json', '{ "type": "module", "engines": { "node": ">=99.1" } }');
    const { code, stderr } = await prepare();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^zonewright: needs Node\.js 99\.1 or newer, this is \S+\n$/);
  });
});

/** A process that is no more. */
function ended(): Promise<{ readonly pid: number }> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['--version'], () => resolve({ pid: child.pid ?? 0 }));
  });
}
