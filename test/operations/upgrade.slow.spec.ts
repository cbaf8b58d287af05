import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { audit } from '../support/audit.js';
import {
  COMMAND_LINE,
  type Ended,
  killAll,
  runCommand,
  type ServiceProcess,
  startServiceProcess,
} from '../support/process.js';
import { databaseFileIn, environmentOf, removeTestData } from '../support/service.js';
import { executeIn, lookInto } from '../support/stored.js';
import { until } from '../support/until.js';
import { type Backend, UpgradeLoad } from './upgrade-load.js';

jest.setTimeout(process.env.ZONEWRIGHT_FORMER_RELEASE === undefined ? 300_000 : 1_800_000);

/** This release with a feature and migrations more. */
const LATER = join(import.meta.dirname, '../support/next-release.js');
/** `npm run test:upgrade` has a release of before built, and tries this one as the next. */
const FORMER_RELEASE = process.env.ZONEWRIGHT_FORMER_RELEASE;
const [FORMER, NEXT] = [FORMER_RELEASE ?? COMMAND_LINE, LATER];
/** Requests to each release in each stage. */
const REQUESTS =
  process.env.ZONEWRIGHT_UPGRADE_REQUESTS === undefined ? 60 : Number(process.env.ZONEWRIGHT_UPGRADE_REQUESTS);

let directory: string;
let processes: ServiceProcess[];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-upgrade-'));
  processes = [];
});
afterEach(async () => {
  for (const service of processes) killAll(service);
  await Promise.all(processes.map(({ ended }) => ended));
  await removeTestData(directory);
});

interface Running extends Backend {
  readonly service: ServiceProcess;
}

async function start(name: string, program: string, settings: Record<string, string> = {}): Promise<Running> {
  const env = environmentOf(directory, { DATABASE__MIGRATE: 'False', LOG__FORMAT: 'json', ...settings });
  const service = await startServiceProcess(directory, env, [program, 'serve']);
  processes.push(service);
  return { name, url: service.url, service };
}

async function stop({ service }: Running): Promise<void> {
  service.signal('SIGTERM');
  expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
}

function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  return runCommand(directory, { ...environmentOf(directory), ...env }, args, { program });
}

async function migrated(program: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(program, ['migrate', ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

const ready = async ({ url }: Backend): Promise<number> => (await fetch(`${url}/readyz`)).status;

it('18.8 an upgrade, and the way back, refuse no request', async () => {
  await migrated(FORMER);
  const [former, other] = [await start('former', FORMER), await start('former', FORMER)];
  const load = new UpgradeLoad();
  for (const backend of [former, other]) load.putIn(backend);
  load.start(6);
  await load.answered(REQUESTS);

  await migrated(NEXT);
  await load.answered(REQUESTS);
  const next = await start('next', NEXT);
  load.putIn(next);
  await load.answered(REQUESTS);
  expect(await Promise.all([former, next].map(ready))).toEqual([200, 200]);

  await load.takeOut(other);
  await stop(other);
  await load.takeOut(former);
  await stop(former);
  await load.answered(REQUESTS);

  const again = await start('former again', FORMER);
  load.putIn(again);
  await load.answered(REQUESTS);
  await load.takeOut(next);
  await stop(next);
  await load.answered(REQUESTS);
  await load.stop();

  const counts = Object.fromEntries(
    [...load.served].map(([name, { answered, refused }]) => [name, { answered, refused }]),
  );
  if (FORMER_RELEASE !== undefined) console.log(JSON.stringify(counts));
  for (const { refused } of Object.values(counts)) expect(refused).toEqual([]);
  expect(Object.keys(counts)).toEqual(['former', 'next', 'former again']);
  await stop(again);
  expectKept(load);
  audit(databaseFileIn(directory));
  expect(await run(FORMER, ['check'])).toMatchObject({ code: 0 });
});

/** Exactly the acknowledged records exist. */
function expectKept({ kept }: UpgradeLoad): void {
  const names = "SELECT name FROM records WHERE zone_id = ? AND type = 'A' ORDER BY name";
  for (const [id, acknowledged] of kept) {
    const rows = lookInto(databaseFileIn(directory), ({ rows }) => rows<{ name: string }>(names, id));
    expect(rows.map(({ name }) => name)).toEqual([...acknowledged].sort());
  }
}

const CONTRACTION = 'ContractLaterThings1999000000003';
const THIRD = { RELEASE: 'third' };

/** Which of the migrations of the later release have been run. */
function laterMigrations(): string[] {
  const names = 'SELECT name FROM migrations WHERE timestamp > 1998000000000 ORDER BY name';
  return lookInto(databaseFileIn(directory), ({ rows }) => rows<{ name: string }>(names)).map(({ name }) => name);
}

describe('18.8 expansions of a later release', () => {
  beforeEach(async () => {
    await migrated(COMMAND_LINE);
    expect(await migrated(LATER)).toContain(`${CONTRACTION} can be run by "zonewright migrate --contract"`);
  });

  it('are tolerated by every program, which reports them at startup', async () => {
    const said =
      /a later release has run Expand\w+, Expand\w+, beside which this one works\nthe database is up to date\n$/;
    expect(await migrated(COMMAND_LINE)).toMatch(said);
    expect(await run(COMMAND_LINE, ['token', 'list'])).toMatchObject({ code: 0 });
    const service = await start('former', COMMAND_LINE);
    expect(await ready(service)).toBe(200);
    await stop(service);
  });

  it('leave a large import as it is, whose rows take the defaults of columns that it does not know', async () => {
    const lines = Array.from({ length: 3000 }, (_, number) => `h${number} 3600 A 192.0.2.1`);
    await writeFile(join(directory, 'example.org.zone'), `${lines.join('\n')}\n`);
    const imported = ['zone', 'import', 'example.org.zone', '--create', '--email', 'h@example.org'];
    expect(await run(COMMAND_LINE, imported)).toMatchObject({ code: 0, stderr: '' });
    expect(await run(COMMAND_LINE, [...imported, '--mode', 'replace'])).toMatchObject({ code: 0, stderr: '' });
    const weights = 'SELECT DISTINCT later_weight AS weight FROM records';
    expect(lookInto(databaseFileIn(directory), ({ rows }) => rows(weights))).toEqual([{ weight: 7 }]);
    expect(await run(COMMAND_LINE, ['check'])).toMatchObject({ code: 0 });
  });
});

describe('18.8 contractions', () => {
  beforeEach(async () => {
    await migrated(COMMAND_LINE);
    await migrated(LATER);
  });

  it('are run by migrate --contract alone while their release can do without it; releases before refuse the schema then', async () => {
    const [former, next] = [
      await start('former', COMMAND_LINE),
      await start('next', LATER, { DATABASE__MIGRATE: 'True' }),
    ];
    expect(laterMigrations()).not.toContain(CONTRACTION);
    expect(await migrated(LATER, '--contract')).toMatch(new RegExp(`migration 1 of 1, ${CONTRACTION}: `));
    expect(laterMigrations()).toContain(CONTRACTION);
    await until(async () => (await ready(former)) === 503);
    expect(await ready(next)).toBe(200);
    for (const args of [['serve'], ['migrate'], ['token', 'list']])
      expect((await run(COMMAND_LINE, args)).stderr).toContain(`this one does not know ${CONTRACTION}:`);
    expect(await migrated(LATER, '--contract')).toBe('the database is up to date\n');
  });

  it('are run by serve of a release that needs them', async () => {
    const refused = await runCommand(directory, { ...environmentOf(directory), ...THIRD }, ['token', 'list'], {
      program: LATER,
    });
    expect(refused.stderr).toContain('1 migration is missing; no older release can work beside them');
    expect(await run(LATER, ['migrate'], THIRD)).toMatchObject({ code: 0 });
    expect(laterMigrations()).toContain(CONTRACTION);
  });
});

describe('18.8 an expansion that fails', () => {
  it('keeps the earlier ones, and the next run continues there', async () => {
    await migrated(COMMAND_LINE);
    executeIn(databaseFileIn(directory), 'CREATE TABLE records_later_weights (id integer)');
    const { code, stderr } = await run(LATER, ['migrate']);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /migration 2 of 2, ExpandRecordsByWeights\w+, failed; the one before it stays, and "zonewright migrate" goes on from there: /,
    );
    expect(laterMigrations()).toEqual(['ExpandTablesByWeight1999000000001']);
    executeIn(databaseFileIn(directory), 'DROP TABLE records_later_weights');
    expect(await migrated(LATER)).toContain('migration 1 of 1, ExpandRecordsByWeights');
  });
});
