import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { bodyOf, expectStatus, refusalOf } from '../support/answers.js';
import type { DomainBody, ListedBody } from '../support/bodies.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { ACME_PLUGIN, COMMAND_LINE, type Ended, runCommand, startServiceProcess } from '../support/process.js';
import { clientsOf, databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { lookInto } from '../support/stored.js';

const ROOT = resolve(import.meta.dirname, '../..');
const PACKAGE = '@acme/zonewright-plugin';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-packages-'));
});
afterEach(() => removeTestData(directory));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), text);
}

/** Installs a package next to the configuration, as npm would. */
async function install(name: string, code: string): Promise<void> {
  await write(`node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', exports: './index.js' }));
  await write(`node_modules/${name}/index.js`, code);
}

function installAcme(): Promise<void> {
  return install(PACKAGE, `export { ACME as default } from '${ACME_PLUGIN}';\n`);
}

const env = (settings: Record<string, string> = {}) =>
  environmentOf(directory, { PLUGINS__PACKAGES: PACKAGE, ...settings });
const run = (args: readonly string[], environment = env()): Promise<Ended> => runCommand(directory, environment, args);
const start = (environment = env()) => startServiceProcess(directory, environment, [COMMAND_LINE, 'serve']);

describe('a package that the configuration names', () => {
  it('is part of every command, and has a separate migration history', async () => {
    await installAcme();
    expect((await run(['--help'])).stdout).toMatch(/^ {2}report /m);
    expect(await run(['migrate'])).toMatchObject({ code: 0, stderr: '' });
    const migrations = lookInto(databaseFileIn(directory), ({ rows }) => [
      rows<{ name: string }>('SELECT name FROM acme_migrations').map(({ name }) => name),
      rows<{ name: string }>("SELECT name FROM migrations WHERE name LIKE '%Acme%'"),
    ]);
    expect(migrations).toEqual([['CreateAcmeReports1764000000000'], []]);
    await write('acme.example.zone', 'one 3600 RACK "room 7" U12\n');
    const imported = await run(['zone', 'import', 'acme.example.zone', '--create', '--email', 'h@example.org']);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect((await run(['report', 'acme.example'])).stdout).toBe('acme.example has 1 records\n');
  });

  it('is named in the configuration file, by a path from its folder, and has its options there', async () => {
    await write('local/plugin.js', `export { ACME as default } from '${ACME_PLUGIN}';\n`);
    await write(
      'conf/zonewright.conf',
      '[plugins]\npackages = ../local/plugin.js\n[plugin:acme]\nrecords_per_zone = 5\n',
    );
    await write('package.json', '{ "type": "module" }');
    for (const option of [['--config-file', 'conf/zonewright.conf'], ['--config-file=conf/zonewright.conf']])
      expect(await run(['migrate', ...option], environmentOf(directory))).toMatchObject({ code: 0, stderr: '' });
    await write('conf/zonewright.conf', '[plugins]\npackages = ../local/plugin.js\n[plugin:acme]\nrecords = 5\n');
    const refused = await run(['migrate', '--config-file', 'conf/zonewright.conf'], environmentOf(directory));
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('unknown option "records" in [plugin:acme]');
  });

  it('is part of the service, which lists its contributions', async () => {
    await installAcme();
    const service = await start(env({ LOG__FORMAT: 'json', LOG__LEVEL: 'info' }));
    const { stdout } = service.output();
    const lines = stdout.split('\n').filter((line) => line.includes('plugin acme: '));
    expect(lines).toHaveLength(1);
    for (const brought of ['options records_per_zone', 'commands report', 'record types RACK', 'tables acme_reports'])
      expect(lines[0]).toContain(brought);
    const acme = (path: string) =>
      fetch(`${service.url}${path}`, { headers: { 'X-Client-Name': 'acme' } }).then(({ status }) => status);
    expect(await acme('/v1/domains')).toBe(200);
    service.signal('SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0 });
  });

  it('leaves readable and deletable records after removal, and serves them again once reinstalled', async () => {
    await write('package.json', '{ "type": "module" }');
    await write('racks.js', RACKS);
    const withPlugin = environmentOf(directory, { PLUGINS__PACKAGES: './racks.js' });
    const without = environmentOf(directory);
    let zone: DomainBody | null = null;
    const rack = (name: string) => ({ name, type: 'RACK', data: '"room 7"' });
    const racksIn = async (zone: TestDomain) =>
      (await bodyOf<{ records: ListedBody[] }>(zone.list('?type=RACK'))).records;
    /** Runs `work` with the zone. Returns the log of the service. */
    const serve = async (environment: Record<string, string>, work: (zone: TestDomain) => Promise<void>) => {
      const service = await start(environment);
      const client = clientsOf(service.url).as('tenant-a');
      zone ??= await newDomain(client);
      await work(domainOf(client, zone));
      service.signal('SIGTERM');
      const { stdout, stderr } = await service.ended;
      return stdout + stderr;
    };

    await serve(withPlugin, async (racks) => {
      await racks.newRecord(rack(racks.at('one')));
      await racks.newRecord(rack(racks.at('two')));
    });
    const said = await serve(without, async (racks) => {
      const records = await racksIn(racks);
      expect(records).toMatchObject([rack(racks.at('one')), rack(racks.at('two'))]);
      expect(await racks.export()).toContain(`TYPE65301\t\\# 7 06726f6f6d2037\n`);
      await refusalOf(racks.create(rack(racks.at('three'))), 400, 'invalid_object');
      await refusalOf(
        racks.create({ name: racks.at('three'), type: 'TYPE65301', data: '\\# 1 00' }),
        400,
        'invalid_object',
      );
      expectStatus(await racks.delete(records[0]!.id), 200);
    });
    expect(said).toContain(
      'the plugin racks, which this database was used with, is not installed: its records of RACK can be read and deleted',
    );
    await serve(withPlugin, async (racks) => {
      const [left, ...others] = await racksIn(racks);
      expect({ left, others }).toMatchObject({ left: rack(racks.at('two')), others: [] });
      await racks.newRecord(rack(racks.at('three')));
      for (const { id } of await racksIn(racks)) expectStatus(await racks.delete(id), 200);
    });
    expect(await serve(without, () => Promise.resolve())).not.toContain('plugin racks');
  });
});

/** A plugin without anything but a record type. */
const RACKS = `
import { definePlugin, fields, recordType } from '${ROOT}/dist/src/index.js';
const RACK = recordType({
  name: 'RACK', code: 65301, rfc: 'RFC 6895 §3.1', fields: { rack: fields.characterString },
  example: { name: 'host.example.org.', data: '"room 7"' },
});
export default definePlugin({ name: 'racks', zonewright: '>=1.0.0', recordTypes: () => [RACK] });
`;

const plugin = (parts: string): string => `export default { name: 'widgets', zonewright: '*', ${parts} };\n`;

/** Faulty packages: the fault, the code, and the rest of the error line. */
const REFUSALS: readonly [what: string, code: string | null, line: RegExp][] = [
  ['is not there', null, /^\[plugins\] packages: @acme\/zonewright-plugin cannot be loaded: Cannot find package/],
  ['throws when it is loaded', "throw new Error('no licence');", /cannot be loaded: no licence$/],
  ['has a mistake', 'export default {;', /cannot be loaded: Unexpected token/],
  [
    'exports nothing',
    'export const plugin = 1;',
    /its default export is not a plugin: write "export default definePlugin/,
  ],
  ['exports something else', 'export default [{ name: 1 }];', /its default export is not a plugin/],
  [
    'has a reserved name',
    "export default { name: 'zones', zonewright: '*' };",
    /^plugin zones: the name zones is taken/,
  ],
  [
    'does not fit',
    "export default { name: 'w', zonewright: '^9' };",
    /^plugin w: fits Zonewright \^9, and this is 1\./,
  ],
  ['is there twice', `const p = { name: 'w', zonewright: '*' };\nexport default [p, p];`, /^plugin w: the name w is /],
  [
    'declares a built-in command',
    plugin("commands: [{ name: 'token', description: '', commands: [] }]"),
    /command token is/,
  ],
  [
    'throws where it is asked',
    plugin("core: () => { throw new Error('no core'); }"),
    /widgets: cannot be loaded: no core/,
  ],
];

describe('a package is refused in one line with exit code 1, before anything is opened, when it', () => {
  it.each(REFUSALS)('%s', async (_, code, line) => {
    if (code !== null) await install(PACKAGE, code);
    const { code: exitCode, stdout, stderr } = await run(['serve']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^zonewright: [^\n]+\n$/);
    expect(stderr.slice('zonewright: '.length, -1)).toMatch(line);
  });

  it('finds another copy of the service, but not when it finds this one', async () => {
    await install(PACKAGE, "export default { name: 'w', zonewright: '*' };");
    await symlink(ROOT, join(directory, 'node_modules/zonewright'));
    expect(await run(['migrate'])).toMatchObject({ code: 0, stderr: '' });
    await rm(join(directory, 'node_modules/zonewright'));
    await install('zonewright', '');
    const { code, stderr } = await run(['migrate']);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'finds another copy of Zonewright than this one: let zonewright be a peerDependency of it',
    );
  });

  it.each(['https://example.org/plugin.js', 'a b', 'file:///plugin.js', 'data:text/javascript,1', '@acme'])(
    'is named %j',
    async (name) => {
      const { code, stderr } = await run(['migrate'], env({ PLUGINS__PACKAGES: name }));
      expect(code).toBe(1);
      expect(stderr).toContain('[plugins] packages = ');
      expect(stderr).toContain('allowed: ');
    },
  );
});
