import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryDirectories } from '../support/directory.js';

const SCRIPT = resolve('scripts/check-structure.mjs');
const LONG = 'export const line = 1;\n'.repeat(20);
const PARAMETERS = 'a, b, c, d, e, f, g, h';

describe('scripts/check-structure.mjs', () => {
  const newDirectory = temporaryDirectories();
  let directory: string;

  beforeEach(async () => {
    directory = await newDirectory();
    execFileSync('git', ['init', '--quiet'], { cwd: directory, stdio: 'pipe' });
    await write('src/main.ts', `import './zones/zone.js';\n${LONG}`);
    await write('src/zones/zone.ts', `import type { Helper } from './helper.js';\n${LONG}`);
    await write('src/zones/helper.ts', `// The helper of whoever asks.\nexport class Helper {}\n`);
    await write('src/zones/helper.spec.ts', "import './helper.js';\n");
  });

  async function write(name: string, content: string): Promise<void> {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }

  /** One limit for each measure, those given and enough for all others. */
  function limits(given: Record<string, number>): Promise<void> {
    const measures = [
      ...['files', 'lines', 'files under 20 lines', 'files with one importer, of their folder'],
      ...['constructors with 8 or more parameters', 'types named ...Change(s)', 'comment lines with vague phrases'],
      ...['folders that import each other', 'files of a version 1 create'],
    ];
    const entries = measures.map((name) => [name, { most: given[name] ?? 999, goal: 0 }]);
    return write('scripts/structure.json', JSON.stringify(Object.fromEntries(entries)));
  }

  function check(...parameters: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    return new Promise((done) => {
      execFile(process.execPath, [SCRIPT, '--root', directory, ...parameters], (error, stdout, stderr) => {
        done({ code: Number(error?.code ?? 0), stdout, stderr });
      });
    });
  }

  it('prints the measures of src without its specs', async () => {
    await limits({});
    const { code, stdout } = await check();
    expect(code).toBe(0);
    expect(stdout).toContain('      3 files, at most 999, goal 0\n');
    expect(stdout).toContain('      1 files under 20 lines,');
    expect(stdout).toContain('      1 files with one importer, of their folder,');
    expect(stdout).toContain('      1 comment lines with vague phrases,');
  });

  it('fails above a limit and explains how to list the lines', async () => {
    await limits({ 'files under 20 lines': 0 });
    expect(await check()).toMatchObject({
      code: 1,
      stderr: `files under 20 lines: 1, at most 0; "npm run structure -- --list 'files under 20 lines'" names them\n`,
    });
    expect((await check('--list', 'under 20')).stdout).toBe('src/zones/helper.ts\n');
  });

  it('counts wide constructors, types named Change and folders that import each other', async () => {
    await limits({});
    await write(
      'src/records/record.ts',
      `import '../zones/zone.js';\nexport class RecordChange { constructor(${PARAMETERS}) {} }\n`,
    );
    await write('src/zones/zone.ts', `import '../records/record.js';\n${LONG}`);
    expect((await check('--list', 'constructors')).stdout).toBe('src/records/record.ts: RecordChange 8\n');
    expect((await check('--list', 'Change')).stdout).toBe('src/records/record.ts: RecordChange\n');
    expect((await check('--list', 'each other')).stdout).toMatch(/^(records -> zones|zones -> records): 1, such as /);
  });

  it('lowers limits to the present counts, but not below the goal', async () => {
    await limits({});
    await check('--update');
    const { files } = JSON.parse(await readFile(join(directory, 'scripts/structure.json'), 'utf8')) as {
      files: unknown;
    };
    expect(files).toEqual({ most: 3, goal: 0 });
  });
});
