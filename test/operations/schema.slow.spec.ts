import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { compose } from '../../src/app/composition/compose.js';
import { answerOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { makePreRelease } from '../support/pre-release.js';
import { ACME_COMMAND_LINE, COMMAND_LINE, type Ended, runCommand, startServiceProcess } from '../support/process.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import {
  databaseFileIn,
  environmentOf,
  removeTestData,
  type Settings,
  startTestService,
  type TestService,
} from '../support/service.js';
import { executeIn, lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

jest.setTimeout(120_000);

let directory: string;
/** Number of migrations of this release. */
let count: number;
beforeAll(async () => {
  const { histories } = await compose([], { env: {}, cwd: tmpdir() }).schema();
  count = histories[0].migrations.length + histories[0].contractions.length;
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-schema-'));
});
afterEach(() => removeTestData(directory));

const zonewright = (...args: string[]): Promise<Ended> => runCommand(directory, environmentOf(directory), args);
const database = (): string => databaseFileIn(directory);

function migrationsIn(table = 'migrations'): string[] {
  const rows = lookInto(database(), (stored) => stored.rows<{ name: string }>(`SELECT name FROM ${table} ORDER BY id`));
  return rows.map(({ name }) => name);
}

/** Records a migration of a later release. */
function addMigration(name: string, table = 'migrations'): void {
  executeIn(database(), `INSERT INTO ${table} (timestamp, name) VALUES (1999000000000, '${name}')`);
}

/** The log line of a finished migration. */
const STEP = /: migration \d+ of \d+, \w+: \d+\.\d\d s$/;

/** One command for each way to use the database without changing its schema. */
const COMMANDS: readonly (readonly string[])[] = [
  ['check', '--fix'],
  ['token', 'create', '--tenant', 'a'],
  ['audit'],
  ['mdns'],
  ['zone', 'import', 'example.org.zone', '--create', '--email', 'h@example.org'],
];

/** The one-line refusals of the commands. */
async function refusalsOf(
  commands: readonly (readonly string[])[],
  { program = COMMAND_LINE, ...settings }: Settings & { readonly program?: string } = {},
): Promise<string[]> {
  await writeFile(join(directory, 'example.org.zone'), '@ 3600 A 192.0.2.1\n');
  const env = environmentOf(directory, { SERVICE_MDNS__SECONDARIES: '192.0.2.53:53', ...settings });
  const ends = await Promise.all(commands.map((args) => runCommand(directory, env, args, { program })));
  const refused = ends.map(() => ({ code: 1, stdout: '', stderr: expect.stringMatching(/^zonewright: [^\n]+\n$/) }));
  expect(ends).toEqual(refused);
  return ends.map(({ stderr }) => stderr);
}

/** The next release, with two more migrations. */
const NEXT = join(import.meta.dirname, '../support/next-release.js');
const ADDED = 2;

describe('18.6 a database of an older release', () => {
  beforeEach(async () => {
    expect(await zonewright('migrate')).toMatchObject({ code: 0 });
  });

  it('is refused by every command, which changes nothing and prints the fix', async () => {
    for (const line of await refusalsOf(COMMANDS, { program: NEXT }))
      expect(line).toContain(`is not up to date: run "zonewright migrate" (${ADDED} migrations are missing; `);
    expect(migrationsIn()).toHaveLength(count);
  });

  it('is refused by serve with migrate = False, and brought up to date with migrate = True, each step in the log', async () => {
    const [refusal] = await refusalsOf([['serve']], { program: NEXT, DATABASE__MIGRATE: 'False' });
    expect(refusal).toContain('is not up to date: run "zonewright migrate" (');
    expect(migrationsIn()).toHaveLength(count);

    const service = await startServiceProcess(directory, environmentOf(directory, { LOG__FORMAT: 'json' }), [
      NEXT,
      'serve',
    ]);
    service.signal('SIGTERM');
    const { stdout } = await service.ended;
    const lines = stdout.split('\n').filter((line) => line.includes('"context":"Database"'));
    const said = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    const steps = said.filter((line) => STEP.test(line));
    expect(steps).toHaveLength(ADDED);
    expect(steps[0]).toContain(`: migration 1 of ${ADDED}, ExpandTablesByWeight1999000000001: `);
    expect(said[ADDED + 1]).toMatch(/: the migrations are committed$/);
    expect(migrationsIn()).toHaveLength(count + ADDED);
  });

  it('is brought up to date by migrate, which prints each step', async () => {
    const next = (...args: string[]) => runCommand(directory, environmentOf(directory), args, { program: NEXT });
    const { code, stdout, stderr } = await next('migrate');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trim().split('\n');
    expect(lines[0]).toMatch(new RegExp(`: ${ADDED} migrations are missing$`));
    expect(lines.filter((line) => STEP.test(line))).toHaveLength(ADDED);
    expect(stdout).toMatch(/: the migrations are committed\n[^\n]*\n?the database is up to date\n$/);
    expect(await next('check')).toMatchObject({ code: 0 });
  });
});

it('18.6 migrate creates a new schema completely or not at all, and names the failed migration', async () => {
  expect(await zonewright('migrate')).toMatchObject({ code: 0 });
  const tables = ['migrations', 'zones', 'records'];
  executeIn(database(), tables.map((table) => `DROP TABLE ${table};`).join(' '));
  const { code, stderr } = await zonewright('migrate');
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^zonewright: cannot bring the database \S+ up to date: migration 1 of \d+, Baseline\d+, failed and nothing was changed: [^\n]+\n$/,
  );
  const count = 'SELECT COUNT(*) AS count FROM zones';
  expect(() => lookInto(database(), ({ rows }) => rows(count))).toThrow(/zones/);
});

describe('18.6 a database from before version 1.0.0', () => {
  beforeEach(async () => {
    const service = await startTestService({}, directory);
    const domain = await newDomain(service);
    await answerOf(domain.create({ name: domain.at('kept'), type: 'A', data: '192.0.2.1' }));
    await service.stop();
  });

  it('is adopted by migrate when its schema is that of 1.0.0', async () => {
    makePreRelease(database());
    for (const line of await refusalsOf(COMMANDS))
      expect(line).toContain('is not up to date: run "zonewright migrate"');
    const { code, stdout, stderr } = await zonewright('migrate');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/: the schema is that of 1\.0\.0: recorded the baseline in place of 54 migrations\n/);
    expect(migrationsIn()).toEqual(expect.arrayContaining(['Baseline1764200000000']));
    const again = await zonewright('migrate');
    expect(again).toMatchObject({ code: 0, stdout: expect.stringMatching(/^the database is up to date\n$/m) });
    expect(again.stdout).toContain('can be run by "zonewright migrate --contract"');
    expect(await zonewright('check')).toMatchObject({ code: 0 });
  });

  it('is adopted by several processes that start concurrently', async () => {
    makePreRelease(database());
    const runs = await Promise.all([1, 2, 3].map(() => zonewright('migrate')));
    expect(runs).toEqual(runs.map(() => expect.objectContaining({ code: 0, stderr: '' })));
    expect(migrationsIn()).toEqual(expect.arrayContaining(['Baseline1764200000000']));
  });

  it('is refused by every command when it is older, and stays unchanged', async () => {
    makePreRelease(database(), 53);
    for (const line of await refusalsOf([['token', 'list'], ['migrate'], ['serve']]))
      expect(line).toMatch(
        /older than the last pre-release one \(53 of 54 migrations\): run "zonewright migrate" of commit /,
      );
    expect(migrationsIn()).toHaveLength(53);
  });
});

describe('18.6 a database of a newer release', () => {
  beforeEach(async () => {
    expect(await zonewright('migrate')).toMatchObject({ code: 0 });
    addMigration('ComeLater1999000000000');
  });

  it('is refused by every command that uses it, and stays unchanged', async () => {
    for (const line of await refusalsOf([['token', 'list'], ['migrate'], ['serve']]))
      expect(line).toMatch(
        /another release has changed the schema, and this one does not know ComeLater1999000000000: run that release, or put back a backup/,
      );
    expect(migrationsIn()).toHaveLength(count + 1);
  });

  it('is not migrated either when one of the known migrations is missing', async () => {
    executeIn(database(), `DELETE FROM migrations WHERE name LIKE 'Baseline%'`);
    for (const line of await refusalsOf([['migrate'], ['check']]))
      expect(line).toContain('another release has changed');
    expect(migrationsIn()).toHaveLength(count);
  });
});

describe('16.2, 18.6 GET /readyz', () => {
  it('is 503 and logged once another release has changed the schema under the service', async () => {
    const service = await startServiceProcess(directory, environmentOf(directory, { LOG__FORMAT: 'json' }));
    try {
      const ready = async (): Promise<number> => (await fetch(`${service.url}/readyz`)).status;
      expect(await ready()).toBe(200);
      addMigration('ComeLater1999000000000');
      await until(async () => (await ready()) === 503);
      await until(() => Promise.resolve(service.output().stdout.includes('does not know ComeLater1999000000000')));
      executeIn(database(), "DELETE FROM migrations WHERE name = 'ComeLater1999000000000'");
      await until(async () => (await ready()) === 200);
    } finally {
      service.signal('SIGTERM');
      await service.ended;
    }
  });
});

describe('18.6 requests to a service', () => {
  let service: TestService;
  let domain: TestDomain;
  beforeEach(async () => {
    service = await startTestService({}, directory);
    domain = await newDomain(service);
  });
  afterEach(() => service.stop());

  const create = (label: string) => domain.create({ name: domain.at(label), type: 'A', data: '192.0.2.1' });
  const list = () => service.call('get', `/v1/domains/${domain.id}/records`);

  it('whose schema another release has changed are 503 where they do not fit it, and say why', async () => {
    await answerOf(create('before'));
    addMigration('ComeLater1999000000000');
    executeIn(database(), 'ALTER TABLE journal RENAME COLUMN request_id TO asked_by');
    const refusals = await Promise.all(['a', 'b', 'c'].map((label) => refusalOf(create(label), 503, 'unavailable')));
    for (const { message } of refusals)
      expect(message).toContain('migrations that this release of the service does not');
    await answerOf(list());
    executeIn(database(), 'ALTER TABLE records RENAME COLUMN name TO owner');
    expect((await refusalOf(list(), 503, 'unavailable')).message).toContain('migrations that this release');

    executeIn(database(), 'ALTER TABLE records RENAME COLUMN owner TO name');
    executeIn(database(), 'ALTER TABLE journal RENAME COLUMN asked_by TO request_id');
    await answerOf(create('after'));
    await answerOf(list());
  });

  it('are 500 where the schema is that of this release: then a statement is wrong', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    executeIn(database(), 'ALTER TABLE journal RENAME COLUMN request_id TO asked_by');
    await refusalOf(create('www'), 500, 'unknown');
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
    executeIn(database(), 'ALTER TABLE journal RENAME COLUMN asked_by TO request_id');
  });
});

describe('18.6 migrations of a plugin', () => {
  const acme = (...args: string[]): Promise<Ended> =>
    runCommand(directory, environmentOf(directory), args, { program: ACME_COMMAND_LINE });

  it('are missing until migrate has run, and without owner after the plugin is removed', async () => {
    expect(await zonewright('migrate')).toMatchObject({ code: 0 });
    expect((await acme('token', 'list')).stderr).toMatch(
      /is not up to date: run "zonewright migrate" \(1 migration is/,
    );
    expect((await acme('migrate')).stdout).toMatch(
      /: migration 1 of 1, CreateAcmeReports1764000000000 of the plugin acme: \d/,
    );
    expect(await acme('check')).toMatchObject({ code: 0 });
    expect(await zonewright('check')).toMatchObject({ code: 0 });
    expect(await zonewright('migrate')).toMatchObject({ code: 0, stdout: 'the database is up to date\n' });
  });

  it('are refused when this release of it does not know them', async () => {
    expect(await acme('migrate')).toMatchObject({ code: 0 });
    addMigration('AcmeLater1999000000000', 'acme_migrations');
    const { code, stderr } = await acme('token', 'list');
    expect(code).toBe(1);
    expect(stderr).toContain('does not know AcmeLater1999000000000 of the plugin acme:');
    expect(await zonewright('check')).toMatchObject({ code: 0 });
  });
});

describe('18.6 no command makes a database', () => {
  it('where no schema exists', async () => {
    const nothing = ON_POSTGRES
      ? /there is no schema: run "zonewright migrate" if /
      : /there is no database \S+test\.sqlite: /;
    for (const line of await refusalsOf(COMMANDS)) expect(line).toMatch(nothing);
    expect(existsSync(join(directory, 'test.sqlite'))).toBe(false);
    const tables = "SELECT 1 FROM pg_tables WHERE schemaname = 'public'";
    if (ON_POSTGRES) expect(lookInto(database(), ({ rows }) => rows(tables))).toEqual([]);
  });
});
