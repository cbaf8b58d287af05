import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf } from '../support/service.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-new-'));
});
afterEach(() => rm(directory, { recursive: true }));

const run = (args: readonly string[], settings: Record<string, string> = {}): Promise<Ended> =>
  runCommand(directory, environmentOf(directory, settings), ['plugin', 'new', ...args]);
const filesIn = async (folder: string): Promise<string[]> => (await readdir(join(directory, folder))).sort();

/** That the package builds and passes its tests is seen by tarball.spec.ts. */
describe('zonewright plugin new', () => {
  it('17.5 writes a package into a folder of its name, and prints the next steps', async () => {
    const { code, stdout, stderr } = await run(['my-racks']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('npm test --workspace my-racks\n');
    expect(await filesIn('my-racks')).toEqual([
      '.gitignore',
      'README.md',
      'package.json',
      'src',
      'test',
      'tsconfig.json',
      'zonewright.conf.example',
    ]);
    const { name } = JSON.parse(await readFile(join(directory, 'my-racks/package.json'), 'utf8')) as { name: string };
    expect(name).toBe('zonewright-plugin-my-racks');
    expect(await readFile(join(directory, 'my-racks/src/index.ts'), 'utf8')).toContain(
      'MyRacksModule.register(options)',
    );
  });

  it('writes it into another folder, which may be there', async () => {
    await mkdir(join(directory, 'deep'));
    expect(await run(['racks', '--directory', 'deep'])).toMatchObject({ code: 0, stderr: '' });
    expect(await run(['racks', '--directory', 'deep/er/still'])).toMatchObject({ code: 0, stderr: '' });
    expect(await filesIn('deep/er/still')).toContain('package.json');
  });

  const BRINGS_RACKS = "export default { name: 'racks', zonewright: '*' };\n";

  it.each<[args: string[], line: string | RegExp]>([
    [['Racks!'], 'plugin Racks!: a name has lower-case letters, digits and hyphens, and begins with a letter'],
    [['../racks'], /^plugin \.\.\/racks: a name has lower-case letters/],
    [['@acme/racks'], /^plugin @acme\/racks: a name has lower-case letters/],
    [[`r${'a'.repeat(63)}`], /a name has lower-case letters/],
    [['zones'], 'plugin zones: the name zones is taken by Zonewright'],
    [['racks'], 'plugin racks: the name racks is taken by the plugin racks'],
    [['shelves', '--directory', 'full'], 'the folder full is not empty: choose another --directory'],
    [['shelves', '--directory', 'full/file'], 'full/file is not a folder: choose another --directory'],
    [['shelves', '--directory', 'full/file/deeper'], 'full/file/deeper is not a folder: choose another --directory'],
  ])('17.5 refuses %j in one line', async (args, line) => {
    await mkdir(join(directory, 'full'));
    await writeFile(join(directory, 'full/file'), '');
    await writeFile(join(directory, 'racks.mjs'), BRINGS_RACKS);
    const { code, stdout, stderr } = await run(args, { PLUGINS__PACKAGES: './racks.mjs' });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^zonewright: [^\n]+\n$/);
    const said = stderr.slice('zonewright: '.length, -1);
    if (typeof line === 'string') expect(said).toBe(line);
    else expect(said).toMatch(line);
    expect(await filesIn('.')).toEqual(['full', 'racks.mjs']);
  });

  it('asks for the versions that the service has itself', async () => {
    const own = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, Record<string, string>>;
    await run(['my-racks']);
    const written = JSON.parse(await readFile(join(directory, 'my-racks/package.json'), 'utf8')) as typeof own;
    expect(written.peerDependencies?.zonewright).toBe(`^${own.version as unknown as string}`);
    const { zonewright: _, ...needed } = { ...written.peerDependencies, ...written.devDependencies };
    expect(Object.keys(needed)).toEqual(['@nestjs/common', '@types/node', 'typescript']);
    for (const [name, range] of Object.entries(needed))
      expect(range.replace(/^[~^]/, '')).toBe(own.dependencies?.[name] ?? own.devDependencies?.[name]);
  });
});
