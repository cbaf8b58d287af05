import { execFile, execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryDirectories } from '../support/directory.js';

const SCRIPT = resolve('scripts/check-words.mjs');
const WORDS = {
  identifiers: { OldThing: 'NewThing' },
  declarations: { Old: 'New' },
  files: { '/old-thing.ts': 'new-thing.ts', '.old.ts': '.new.ts', 'src/old/': 'src/new/' },
  phrases: [{ pattern: 'whoever|nobody', use: 'a noun', most: 1 }],
};

interface Checked {
  readonly code: number;
  readonly stdout: string;
  readonly complaints: readonly string[];
}

describe('scripts/check-words.mjs', () => {
  const newDirectory = temporaryDirectories();
  let directory: string;

  beforeEach(async () => {
    directory = await newDirectory();
    git('init', '--quiet', '--initial-branch=main');
    await write('scripts/words.json', JSON.stringify(WORDS));
    await write('src/thing.ts', '/** Tells whoever asks. */\nexport class NewThing {}\n');
    commit('Add a thing');
  });

  function git(...parameters: readonly string[]): void {
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'commit.gpgsign=false'];
    execFileSync('git', [...author, ...parameters], { cwd: directory, stdio: 'pipe' });
  }

  function commit(subject: string): void {
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', subject);
  }

  async function write(name: string, content: string): Promise<void> {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), content);
  }

  function check(...parameters: readonly string[]): Promise<Checked> {
    return new Promise((done) => {
      execFile(process.execPath, [SCRIPT, ...parameters, directory], (error, stdout, stderr) => {
        done({ code: Number(error?.code ?? 0), stdout, complaints: stderr.split('\n').filter(Boolean) });
      });
    });
  }

  it('accepts a tree without banned words and prints the measures', async () => {
    const { code, stdout, complaints } = await check();
    expect(complaints).toEqual([]);
    expect(code).toBe(0);
    expect(stdout).toBe('    1 lines with "whoever|nobody", at most 1\n');
  });

  it('names the line of a banned identifier and its replacement', async () => {
    await write('docs/page.md', '# Page\n\nAn `OldThing` is no `OldThings`.\n');
    await write('test/thing.spec.ts', 'new OldThing();\n');
    const { code, complaints } = await check();
    expect(code).toBe(1);
    expect(complaints).toEqual([
      'docs/page.md:3: "OldThing": use NewThing',
      'test/thing.spec.ts:1: "OldThing": use NewThing',
    ]);
  });

  it('bans common words only where src declares them', async () => {
    await write('src/other.ts', '/** Old things. */\nexport interface Old {}\nexport const isOld = (): Old => ({});\n');
    await write('test/other.ts', 'interface Old {}\n');
    expect((await check()).complaints).toEqual(['src/other.ts:2: "Old": use New']);
  });

  it('names banned file names and folders of src', async () => {
    for (const file of [
      'src/deep/old-thing.ts',
      'src/my-old-thing.ts',
      'src/old/a.ts',
      'src/a.old.ts',
      'test/a.old.ts',
    ])
      await write(file, 'export {};\n');
    expect((await check()).complaints).toEqual([
      'src/a.old.ts: ".old.ts": use .new.ts',
      'src/deep/old-thing.ts: "/old-thing.ts": use new-thing.ts',
      'src/old/a.ts: "src/old/": use src/new/',
    ]);
  });

  it('names the added lines that raise the count of a phrase', async () => {
    const raised = [
      '2 lines with "whoever|nobody", at most 1: use a noun',
      'src/other.ts:1: "whoever|nobody": use a noun',
    ];
    await write('src/other.ts', '/** Nobody asks. */\nexport const nobody = 1;\n');
    expect(await check()).toMatchObject({ code: 1, complaints: raised });
    commit('Add another thing');
    expect(await check()).toMatchObject({ code: 1, complaints: raised });
  });

  it('lowers a limit when asked, and never raises one', async () => {
    const most = async () =>
      (JSON.parse(await readFile(join(directory, 'scripts/words.json'), 'utf8')) as typeof WORDS).phrases[0]?.most;
    await write('src/thing.ts', 'export class NewThing {}\n');
    expect(await check('--update')).toMatchObject({ code: 0 });
    expect(await most()).toBe(0);
    await write('src/thing.ts', '// Nobody.\nexport class NewThing {}\n');
    expect(await check('--update')).toMatchObject({ code: 1 });
    expect(await most()).toBe(0);
  });

  it('reads the commit subjects of a branch, and the last one of main', async () => {
    commit('Tell whoever asks');
    expect((await check()).complaints).toEqual([expect.stringMatching(/^commit \w+: "whoever": use a noun$/)]);
    commit('Tell the caller');
    expect((await check()).complaints).toEqual([]);
    git('switch', '--quiet', '--create', 'branch');
    commit('Extend OldThing');
    commit('Rename OldThing to NewThing');
    expect((await check()).complaints).toEqual([expect.stringMatching(/^commit \w+: "OldThing": use NewThing$/)]);
  });
});
