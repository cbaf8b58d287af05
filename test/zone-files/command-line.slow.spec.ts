import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit, contentsOf } from '../support/audit.js';
import { type Ended, runCommand } from '../support/process.js';
import { environmentOf, startTestService, type TestService } from '../support/service.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';

const FILE =
  '@ 3600 IN SOA ns h 1 2 3 4 5\n@ 3600 NS ns1.zonewright.invalid.\nwww 3600 A 192.0.2.1\nftp 3600 CNAME www\n';
const EMAIL = ['--create', '--email', 'hostmaster@example.org'];

/** Runs while the commands do, as it does for an operator. */
let service: TestService;
let directory: string;
/** A domain that is there, and the name of one that is not. */
let old: TestDomain;
let fresh: string;
let names = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  service = await startTestService({}, directory);
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
  await rm(directory, { recursive: true });
});
beforeEach(async () => {
  names += 1;
  fresh = `new${String(names)}.example.org`;
  old = await newDomain(service, `old${String(names)}.example.org.`);
  await old.import(FILE);
});

/** `zonewright zone …` on the database of the service, and held to no quota: those are for the API. */
function zone(...args: string[]): Promise<Ended> {
  const env = environmentOf(directory, { DEFAULT__QUOTA_ZONE_RECORDS: '1', DEFAULT__QUOTA_API_EXPORT_SIZE: '0' });
  return runCommand(directory, env, ['zone', ...args]);
}

const write = (file: string, text: string): Promise<void> => writeFile(join(directory, file), text);

const succeeded = ({ code, stdout, stderr }: Ended): string => {
  if (code !== 0) throw new Error(`exit code ${String(code)}: ${stderr}`);
  return stdout;
};

/** Outcomes of concurrent commands; checks that the database is unchanged. */
async function changingNothing(commands: readonly (readonly string[])[]): Promise<Ended[]> {
  const before = contentsOf(service.databaseFile);
  const ended = await Promise.all(commands.map((args) => zone(...args)));
  expect(contentsOf(service.databaseFile) === before).toBe(true);
  return ended;
}

describe('zone import', () => {
  it('17.3, 15.8 accepts db.example.org and example.org.dns as files of example.org, and reports repairs', async () => {
    const soa = '@ IN SOA ns h 1 2 3 4 300\nwww A 192.0.2.1\n';
    await write(`db.${fresh}`, soa);
    await write(`${fresh}.dns`, soa);
    const stdout = succeeded(await zone('import', `db.${fresh}`, ...EMAIL));
    expect(stdout.split('\n')).toEqual([
      `db.${fresh}: line 1: "300": The file has no $TTL: records without a TTL take the minimum of the SOA.`,
      `stored in ${fresh}.: 1 created, 0 updated, 0 unchanged, 0 removed, 1 skipped`,
      '',
    ]);
    expect(succeeded(await zone('import', `${fresh}.dns`))).toContain(
      `stored in ${fresh}.: 0 created, 0 updated, 1 unchanged`,
    );
  });

  it('17.3 creates the domain of the file name, and reports it in one line', async () => {
    await write(`${fresh}.zone`, FILE);
    expect(await zone('import', `${fresh}.zone`, ...EMAIL, '--tenant', 'tenant-b')).toEqual({
      code: 0,
      stdout: `stored in ${fresh}.: 2 created, 0 updated, 0 unchanged, 0 removed, 2 skipped\n`,
      stderr: '',
    });
    const { body } = await service.as('tenant-b').call('get', '/v1/domains');
    expect(body.domains).toMatchObject([{ name: `${fresh}.`, email: 'hostmaster@example.org' }]);
  });

  it('17.3 merges by default, replaces on request, and takes any file with --domain', async () => {
    await write('some-file', 'new A 192.0.2.2\n');
    const merged = await zone('import', 'some-file', '--domain', old.name);
    expect(succeeded(merged)).toContain(': 1 created, 0 updated, 0 unchanged, 0 removed');
    const replaced = await zone('import', 'some-file', '--domain', old.name, '--mode', 'replace', ...EMAIL);
    expect(succeeded(replaced)).toContain(': 0 created, 0 updated, 1 unchanged, 2 removed');
    expect(await old.records()).toMatchObject([{ name: old.at('new') }]);
  });

  it('17.3 --dry-run stores nothing; a new domain is not there either', async () => {
    await write(`${fresh}.zone`, `${FILE}new 3600 A 192.0.2.2\n`);
    const into = (domain: string) => ['import', `${fresh}.zone`, '--domain', domain, '--dry-run', ...EMAIL];
    const ended = await changingNothing([into(fresh), [...into(old.name), '--mode', 'replace']]);
    expect(ended.map(succeeded)).toEqual([
      `would be stored in ${fresh}.: 3 created, 0 updated, 0 unchanged, 0 removed, 2 skipped\n`,
      `would be stored in ${old.name}: 1 created, 0 updated, 2 unchanged, 0 removed, 2 skipped\n`,
    ]);
  });

  it('17.3 exits with 1 and the lines at fault, and stores nothing, not even the domain', async () => {
    await write('bad.zone', `${FILE}bad A 192.0.2.256\nwww.example.com. SOA a b 1 2 3 4 5\n`);
    await write('misplaced.zone', `${FILE}www CNAME ftp\n`);
    const into = (file: string) => ['import', file, '--domain', fresh, ...EMAIL];
    const [bad, misplaced] = await changingNothing([into('bad.zone'), into('misplaced.zone')]);
    expect([bad!.code, bad!.stdout, misplaced!.code, misplaced!.stdout]).toEqual([1, '', 1, '']);
    expect(bad!.stderr.split('\n')).toEqual([
      expect.stringMatching(/^bad\.zone: line 5, column 7: .*192\.0\.2\.256/),
      expect.stringMatching(/^bad\.zone: line 6, column 1: .*outside/),
      'zonewright: The zone file has 2 faults; nothing was stored.',
      '',
    ]);
    expect(misplaced!.stderr).toMatch(/^misplaced\.zone: line 5, column 1: .*\nzonewright: .* 1 fault; .*\n$/);
  });

  it('17.3 exits with 1 for missing or invalid arguments', async () => {
    await write(`${fresh}.zone`, FILE);
    const cases: [options: string[], words: RegExp][] = [
      [[], /there is no domain new\d+\.example\.org\.: .*--create --email/],
      [['--create'], /needs --email/],
      [['--create', '--email', 'nobody'], /^zonewright: .*mailbox/],
      [[...EMAIL, '--mode', 'Replace'], /--mode "Replace": write merge or replace/],
      [[...EMAIL, '--domain', 'a..b'], /name: /],
      [[...EMAIL, '--domain', `x.${old.name}`, '--tenant', 'tenant-b'], /another tenant/],
    ];
    const ended = await changingNothing(cases.map(([options]) => ['import', `${fresh}.zone`, ...options]));
    for (const [at, [, words]] of cases.entries())
      expect(ended[at]).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(words) });
  });

  it('17.3 exits with 1 for something other than a file; a second read of a pipe would give an empty zone', async () => {
    const ended = await changingNothing(
      ['nothing.zone', '.', '/dev/stdin'].map((path) => ['import', path, '--domain', old.name, '--mode', 'replace']),
    );
    expect(ended.map(({ code, stdout }) => [code, stdout])).toEqual([
      [1, ''],
      [1, ''],
      [1, ''],
    ]);
    expect(ended.map(({ stderr }) => stderr)).toEqual([
      expect.stringContaining('nothing.zone'),
      expect.stringContaining('. is not a file'),
      expect.stringContaining('/dev/stdin is not a file'),
    ]);
  });
});

describe('zone diff with a file', () => {
  const TITLES = async (file: string) => [`--- ${old.name} serial ${(await old.now()).serial}`, `+++ ${file}`];

  it('9.5 draws the changes of a replacement, exits with 2, and stores nothing', async () => {
    await write('changed', `www 60 A 192.0.2.1\nftp 3600 A 192.0.2.9\nnew 3600 A 192.0.2.2\n`);
    const [ended] = await changingNothing([['diff', old.name, 'changed']]);
    expect(ended).toEqual({
      code: 2,
      stdout: [
        ...(await TITLES('changed')),
        `-ftp.${old.name} CNAME www.${old.name}`,
        `-www.${old.name} A 192.0.2.1`,
        `+www.${old.name} 60 A 192.0.2.1`,
        `+ftp.${old.name} A 192.0.2.9`,
        `+new.${old.name} A 192.0.2.2`,
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  it('9.5 says nothing and exits with 0 where both agree', async () => {
    await write('same', FILE);
    expect(await zone('diff', old.name.slice(0, -1), 'same')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('9.5 exits with 1 for a faulty file, missing objects, and a file together with serials', async () => {
    await write('bad', `${FILE}bad A 192.0.2.256\n`);
    const serial = String((await old.now()).serial);
    const commands = [[old.name, 'bad'], [old.name, 'nothing'], ['nowhere.example', 'bad'], [old.name]];
    const mixed = [
      [old.name, 'bad', '--from', serial],
      [old.name, 'bad', '--to', serial],
      [old.name, '--to', serial],
    ];
    const ended = await changingNothing([...commands, ...mixed].map((args) => ['diff', ...args]));
    expect(ended.map(({ code, stdout }) => [code, stdout])).toEqual(ended.map(() => [1, '']));
    const [bad, missing, nowhere, ...others] = ended.map(({ stderr }) => stderr);
    expect(bad).toMatch(/^bad: line 5, column 7: .*\nzonewright: The zone file has 1 fault; nothing was stored\.\n$/);
    expect(missing).toContain('nothing');
    expect(nowhere).toBe('zonewright: there is no domain nowhere.example.\n');
    for (const stderr of others) expect(stderr).toMatch(/^zonewright: name the file .* or a serial with --from/);
  });
});

describe('zone import --diff', () => {
  it('9.5 draws and counts the changes, also of a missing domain; it stores nothing', async () => {
    await write('changed', 'www 60 A 192.0.2.1\nnew 3600 A 192.0.2.2\n');
    const into = (domain: string, ...args: string[]) => ['import', 'changed', '--domain', domain, '--diff', ...args];
    const ended = await changingNothing([into(old.name), into(old.name, '--mode', 'replace'), into(fresh, ...EMAIL)]);
    expect(ended.map(succeeded).map((text) => text.split('\n').slice(2))).toEqual([
      [
        `-www.${old.name} A 192.0.2.1`,
        `+www.${old.name} 60 A 192.0.2.1`,
        `+new.${old.name} A 192.0.2.2`,
        `would be stored in ${old.name}: 1 created, 1 updated, 0 unchanged, 0 removed, 0 skipped`,
        '',
      ],
      [
        `-ftp.${old.name} CNAME www.${old.name}`,
        `-www.${old.name} A 192.0.2.1`,
        `+www.${old.name} 60 A 192.0.2.1`,
        `+new.${old.name} A 192.0.2.2`,
        `would be stored in ${old.name}: 1 created, 1 updated, 0 unchanged, 1 removed, 0 skipped`,
        '',
      ],
      [
        `+www.${fresh}. 60 A 192.0.2.1`,
        `+new.${fresh}. A 192.0.2.2`,
        `would be stored in ${fresh}.: 2 created, 0 updated, 0 unchanged, 0 removed, 0 skipped`,
        '',
      ],
    ]);
  });
});

describe('zone export', () => {
  it('17.3 writes the bare text to standard output, and with -o to a file', async () => {
    const [printed, filed] = await Promise.all([
      zone('export', old.name),
      zone('export', old.name.slice(0, -1), '-o', 'out'),
    ]);
    expect([printed.code, printed.stderr]).toEqual([0, '']);
    expect(linesOfExport(printed.stdout).slice(1)).toEqual([
      `${old.name} 3600 NS ns1.zonewright.invalid.`,
      `ftp.${old.name} 3600 CNAME www.${old.name}`,
      `www.${old.name} 3600 A 192.0.2.1`,
    ]);
    expect(filed).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await readFile(join(directory, 'out'), 'utf8')).toBe(printed.stdout);
  });

  it('17.3 exits with 1 for a domain that is not there, and leaves no file', async () => {
    const ended = await zone('export', 'nowhere.example', '-o', 'nowhere');
    expect(ended).toEqual({ code: 1, stdout: '', stderr: 'zonewright: there is no domain nowhere.example.\n' });
    expect((await readdir(directory)).filter((file) => /nowhere|part/.test(file))).toEqual([]);
  });
});

describe('zone check', () => {
  it('17.3 exits with 1 where name servers refuse the zone, or the zone is missing', async () => {
    const [warned, refused] = await Promise.all(['a', 'b'].map((label) => newDomain(service, old.at(label))));
    await warned!.import('@ MX 10 none\n');
    await refused!.import('@ NS none\n');
    const domains = [old.name, warned!.name, refused!.name, 'nowhere.example.'];
    expect(await changingNothing(domains.map((domain) => ['check', domain]))).toEqual([
      { code: 0, stdout: `${old.name} has no errors\n`, stderr: '' },
      { code: 0, stdout: expect.stringMatching(/^warning: a\.\S+ MX: none\.a\..*\n$/), stderr: '' },
      {
        code: 1,
        stdout: expect.stringMatching(/^error: b\.\S+ NS: none\.b\..*\n$/),
        stderr: `zonewright: name servers refuse ${refused!.name}: 1 error\n`,
      },
      { code: 1, stdout: '', stderr: 'zonewright: there is no domain nowhere.example.\n' },
    ]);
  });
});
