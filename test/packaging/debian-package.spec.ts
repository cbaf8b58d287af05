import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest } from '@jest/globals';
import { brokenLinksIn, documentsIn } from '../support/documents.js';
import { isInstalled, itWith, type Program, run } from '../support/run-program.js';
import { until } from '../support/until.js';
import { Machine, MACHINE, SYSTEMD } from './machine.js';

jest.setTimeout(900_000);

const DEBHELPER: Program = { name: 'debhelper', needs: { dh: 'debhelper', 'dpkg-buildpackage': 'dpkg-dev' } };
const INSTALLED: Program = { name: 'systemd', needs: { ...DEBHELPER.needs, ...MACHINE.needs, ar: 'binutils' } };

/** A fixed time, which reveals files with another time. */
const EPOCH = 1_790_000_000;
/** The highest `systemd-analyze security` score of the unit, of 10; lower is better. */
const EXPOSURE = 1.5;
const UNIT = '/lib/systemd/system/zonewright.service';
const CONFIGURATION = '/etc/zonewright/zonewright.conf';
const DATA = '/var/lib/zonewright';

let directory: string;
let file: string;
let machine: Machine | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-package-'));
  if (isInstalled(DEBHELPER)) file = await build();
});
afterEach(async () => {
  await machine?.stop();
  machine = undefined;
});
afterAll(() => rm(directory, { recursive: true }));

async function build(): Promise<string> {
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(EPOCH) };
  execFileSync(process.execPath, ['scripts/package-deb.mjs', '--out', directory], { env, stdio: 'pipe' });
  const [name = ''] = await readdir(directory);
  return join(directory, name);
}

/** The package as it will be some day: the same files under a later version, which only its control archive says. */
async function makeNext(): Promise<string> {
  const [control, next] = [join(directory, 'control'), join(directory, 'next.deb')];
  const archive = join(directory, 'control.tar.xz');
  await succeed('dpkg-deb', '--control', file, control);
  await succeed('sed', '-i', 's/^Version: .*/&+next/', join(control, 'control'));
  await succeed('tar', '--create', '--xz', '--file', archive, '--owner=0', '--group=0', '--directory', control, '.');
  await copyFile(file, next);
  await succeed('ar', 'r', next, archive);
  return next;
}

async function succeed(command: string, ...parameters: string[]): Promise<string> {
  const { failed, stdout, output } = await run(command, parameters);
  if (failed) throw new Error(output);
  return stdout;
}

describe('the Debian package', () => {
  itWith(DEBHELPER)('contains the service files, no development files, and reproducible times', async () => {
    const lines = (await succeed('dpkg-deb', '--contents', file)).trim().split('\n');
    const files = lines.map((line) => {
      const [, owner = '', , day = '', time = '', name = ''] = line.split(/\s+/);
      return { owner, time: Date.parse(`${day}T${time}Z`), name: name.slice(1) };
    });
    const named = (pattern: RegExp): string[] => files.map(({ name }) => name).filter((name) => pattern.test(name));
    const compiled = Number(process.versions.napi) < 10;
    expect(named(/\.node$/).map((name) => name.replace('/usr/lib/zonewright/node_modules/', ''))).toEqual([
      ...(compiled ? ['better-sqlite3/build/Release/better_sqlite3.node'] : []),
      `better-sqlite3-napi/prebuilds/linux-${process.arch}.node`,
    ]);
    expect(named(/node_modules\/(jest|typescript|eslint|@swc)\/|\.d\.ts$|\.map$/)).toEqual([]);
    expect(new Set(files.map(({ owner }) => owner))).toEqual(new Set(['root/root']));
    // tar shows minutes.
    expect(files.filter(({ time }) => time > EPOCH * 1000)).toEqual([]);
    const depends = await succeed('dpkg-deb', '--field', file, 'Depends');
    expect(depends).toContain(
      compiled ? 'nodejs (>= 20.19), nodejs (<< 21~) | nodejs (>= 22.14)' : 'nodejs (>= 22.14)',
    );
    expect(depends).toMatch(/libc6 \(>= /);
  });

  itWith(DEBHELPER)('has pages whose links lead somewhere, and files that programs can read', async () => {
    const tree = join(directory, 'documents');
    await succeed('dpkg-deb', '--extract', file, tree);
    const folder = join(tree, 'usr/share/doc/zonewright');
    const pages = documentsIn([folder], /\.md$/).filter(({ path }) => path.startsWith(folder));
    expect(pages.length).toBeGreaterThan(10);
    expect(brokenLinksIn(pages)).toEqual([]);
    const names = await readdir(folder, { recursive: true });
    expect(names.filter((name) => name.endsWith('.gz') && !name.includes('changelog'))).toEqual([]);
    expect(names).toContain('operating/alerts.yml');
  });

  itWith(INSTALLED)('is installed, upgraded with its data, removed and purged under systemd', async () => {
    machine = await Machine.start(SYSTEMD);
    const command = (line: string): Promise<string> => machine!.succeed(line);
    // The machine has a private /tmp.
    await copyFile(file, machine.path('/root/now.deb'));
    await copyFile(await makeNext(), machine.path('/root/next.deb'));
    await until(
      async () => /running|degraded/.test((await machine!.run('systemctl is-system-running')).stdout),
      20_000,
    );
    // Where it stands, nothing would be started.
    await command('rm -f /usr/sbin/policy-rc.d');

    await command('dpkg --install /root/now.deb');
    expect(await command('systemctl is-enabled zonewright; systemctl is-active zonewright')).toBe('enabled\nactive\n');
    await served(machine);
    expect(await command(`stat -c '%n %a %U:%G' ${CONFIGURATION} ${DATA} ${DATA}/*`)).toBe(
      [
        `${CONFIGURATION} 640 root:zonewright`,
        `${DATA} 700 zonewright:zonewright`,
        ...['admin-token', 'zonewright.sqlite', 'zonewright.sqlite-shm', 'zonewright.sqlite-wal'].map(
          (name) => `${DATA}/${name} 600 zonewright:zonewright`,
        ),
        '',
      ].join('\n'),
    );
    expect(await command('getent passwd zonewright')).toMatch(/:\/var\/lib\/zonewright:\/usr\/sbin\/nologin$/m);
    await command(
      `systemd-analyze verify ${UNIT} && systemd-analyze security --offline=true --threshold=${EXPOSURE * 10} ${UNIT}`,
    );

    const made = await command(`${API}/domains -d '{"name": "example.org.", "email": "hostmaster@example.org"}'`);
    expect(made).toContain('"name":"example.org."');
    // As root, whose home the service user cannot enter.
    expect(await command('cd /root && zonewright check && zonewright token list')).toContain('admin');
    const { code, stdout } = await machine.run('zonewright backup /root/x.sqlite 2>&1');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        'zonewright: cannot write /root/x.sqlite: the user zonewright, who runs this, may not write in /root;' +
        ' name a directory of that user, such as that of the database\n',
    });
    await command(`echo '# ours' >>${CONFIGURATION}`);

    const before = await command('systemctl show --property=MainPID zonewright');
    await command('dpkg --install /root/next.deb');
    expect(await command('systemctl show --property=MainPID zonewright')).not.toBe(before);
    await served(machine);
    expect(await command(`${API}/domains`)).toContain('"name":"example.org."');
    expect(await command(`tail -n 1 ${CONFIGURATION}`)).toBe('# ours\n');

    await command('dpkg --remove zonewright');
    expect((await machine.run('systemctl is-active zonewright')).stdout).not.toBe('active\n');
    await command(`test -s ${DATA}/zonewright.sqlite && grep ours ${CONFIGURATION}`);
    expect(await command('journalctl --unit=zonewright --output=cat')).toMatch(/stopped/);

    await command('dpkg --install /root/now.deb');
    await served(machine);
    expect(await command(`${API}/domains`)).toContain('"name":"example.org."');
    await command('dpkg --purge zonewright');
    const left = [
      '/etc/zonewright',
      DATA,
      '/usr/lib/zonewright',
      '/usr/bin/zonewright',
      '/usr/share/doc/zonewright',
      UNIT,
    ];
    expect((await machine.run(`ls -d ${left.join(' ')}; find /etc /var/lib -name '*zonewright*'`)).stdout).toBe('');
  });
});

const API = `curl -sS -H "X-Auth-Token: $(cat ${DATA}/admin-token)" -H 'Content-Type: application/json' http://127.0.0.1:9001/v1`;

/** Resolves when it is ready. */
async function served(machine: Machine): Promise<void> {
  const ready = 'curl -sSf http://127.0.0.1:9001/readyz';
  await until(async () => (await machine.run(ready)).code === 0, 20_000);
}
