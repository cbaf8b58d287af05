import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { installInto, type Packed, packService, SQLITE } from '../support/packed-service.js';
import { runCommand, startServiceProcess } from '../support/process.js';
import { environmentOf } from '../support/service.js';

jest.setTimeout(900_000);

const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

let folder: string;
let packed: Packed;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zonewright-npm-'));
  packed = await packService(folder);
  await installInto(folder, packed.tarball);
});
afterAll(() => rm(folder, { recursive: true }));

const run = promisify(execFile);
const program = (): string => join(folder, 'node_modules/.bin/zonewright');
/** Runs a module of a project that has the package installed. */
const module = async (code: string): Promise<string> => {
  await writeFile(join(folder, 'module.mjs'), code);
  return (await run(process.execPath, ['module.mjs'], { cwd: folder })).stdout;
};

describe('the npm package', () => {
  it('contains the runtime, its types and user documents, without development files', () => {
    const { files, size } = packed;
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/src/cli/main.js',
        'dist/src/index.d.ts',
        'dist/src/testing/index.d.ts',
        'dist/ormconfig.js',
        'dist/console/index.html',
        'docs/extending/packages.md',
        'examples/plugins/inspections/package.json',
        'docs/operating/installing.md',
        ...['CHANGELOG.md', 'LICENSE', 'README.md', 'zonewright.conf.example'],
      ]),
    );
    expect(
      files.filter((path) => !/^(dist\/(src|ormconfig|console)|docs|examples\/plugins)\b|^[^/]+$/.test(path)),
    ).toEqual([]);
    expect(files.filter((path) => /\.map$|\.spec\.|^docs\/adr|openapi.*\.json$/.test(path))).toEqual([]);
    expect(size).toBeLessThan(2_240_000);
  });

  it('has a command line that migrates, serves, and knows its version', async () => {
    const env = environmentOf(folder);
    const { stdout } = await run('npx', ['zonewright', '--help'], { cwd: folder });
    expect(stdout).toMatch(/^ {2}serve /m);
    expect((await runCommand(folder, env, ['--version'], { program: program() })).stdout).toBe(`${VERSION}\n`);
    expect(await runCommand(folder, env, ['migrate'], { program: program() })).toMatchObject({ code: 0, stderr: '' });
    const service = await startServiceProcess(folder, env, [program(), 'serve']);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('lets nothing be imported but its two entries and package.json', async () => {
    const reached = await module(`
      const names = ['zonewright', 'zonewright/testing', 'zonewright/dist/src/main.js', 'zonewright/dist/src/index.js'];
      const codes = names.map((name) => import(name).then(() => 'found', ({ code }) => code));
      console.log(JSON.stringify(await Promise.all(codes)));
    `);
    expect(JSON.parse(reached)).toEqual([
      'found',
      'found',
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    ]);
  });

  it('prints the fix in one line where npm has not built better-sqlite3', async () => {
    const built = join(folder, SQLITE);
    await rename(built, `${built}.away`);
    const { code, stderr } = await runCommand(folder, environmentOf(folder), ['migrate'], { program: program() });
    await rename(`${built}.away`, built);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^zonewright: better-sqlite3 does not load: (it has not been built for Node\.js|where it has no module for) [^\n]+ run np[mx] [^\n]+\n$/,
    );
  });

  it('has complete types without the development packages', async () => {
    const nodeTypes = join(folder, 'node_modules/@types/node');
    await mkdir(dirname(nodeTypes), { recursive: true });
    await rm(nodeTypes, { force: true }); // A second try of this test finds that of the first.
    await symlink(join(process.cwd(), 'node_modules/@types/node'), nodeTypes);
    await writeFile(join(folder, 'plugin.mts'), TYPED);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', 'node', '--skipLibCheck', 'false'];
    const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    const compiled = run(process.execPath, [compiler, ...options, 'plugin.mts'], { cwd: folder });
    // The compiler writes errors to stdout.
    expect(await compiled.catch((error: unknown) => error)).toMatchObject({ stdout: '' });
  });

  it("runs the tests of a plugin in that plugin's own folder, under node:test", async () => {
    await writeFile(join(folder, 'plugin.test.mjs'), PLUGIN_TEST);
    const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', 'plugin.test.mjs'], {
      cwd: folder,
    });
    expect(stdout).toMatch(/^# tests 8$/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });
});

const TYPED = `
import { definePlugin, fields, recordType, ZonesService } from 'zonewright';
import { startTestService } from 'zonewright/testing';

const RACK = recordType({
  name: 'RACK', code: 65301, rfc: 'RFC 6895', fields: { rack: fields.characterString },
  example: { name: 'host.example.org.', data: '"room 7"' },
});
export default definePlugin({ name: 'racks', zonewright: '^1.0.0', recordTypes: () => [RACK] });
export const zones = async () => (await startTestService()).get(ZonesService);
`;

const PLUGIN_TEST = `
import assert from 'node:assert/strict';
import * as runner from 'node:test';
import { definePlugin, fields, recordType } from 'zonewright';
import { describeType, startTestService } from 'zonewright/testing';

const RACK = recordType({
  name: 'RACK', code: 65301, rfc: 'RFC 6895', fields: { rack: fields.characterString },
  example: { name: 'host.example.org.', data: '"room 7"' },
});
const plugin = definePlugin({ name: 'racks', zonewright: '^1.0.0', recordTypes: () => [RACK] });

describeType(RACK, { accepts: ['a'], refuses: ['a b'], writes: [['a', '"a"']], loads: [['a', '"a"']] }, runner);

runner.test('a service takes it', async () => {
  const service = await startTestService({ plugins: [plugin] });
  try {
    const acme = service.client.as({ tenant: 'acme' });
    const zone = await acme.post('/v1/domains', { name: 'acme.example.', email: 'hostmaster@example.org' });
    const body = { name: 'host.acme.example.', type: 'RACK', data: '"room 7"' };
    const answer = await acme.post(\`/v1/domains/\${zone.expect(200).json.id}/records\`, body);
    assert.equal(answer.expect(200).json.data, '"room 7"');
  } finally {
    await service.close();
  }
});
`;
