import { randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import { ON_POSTGRES } from '../support/postgres/databases.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { ownPlaceForEach } from '../support/own-place.js';
import { type Ended, killAll, runCommand, runService, type ServiceProcess } from '../support/process.js';
import { itWith, run } from '../support/run-program.js';
import { type Clients, clientsOf, environmentOf, type Settings } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { isPostgresUrl } from '../support/stored.js';
import { until } from '../support/until.js';

// Several starts of processes.
jest.setTimeout(180_000);

const newKey = (): string => randomBytes(32).toString('base64');
const KEY = newKey();
const itWithBind = itWith({ name: 'dnssec-dsfromkey', needs: { 'dnssec-dsfromkey': 'bind9-utils' } });

const place = ownPlaceForEach('dnssec-command-line');
let port: number;
let clients: Clients;
let service: ServiceProcess;

beforeEach(async () => {
  port = await freePort();
  await start(KEY);
});

const settings = (keys: string): Settings => ({
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  SERVICE_DNSSEC__ENABLED: 'True',
  SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: keys,
  LOG__LEVEL: 'debug',
});
const environment = (keys: string): Record<string, string> => environmentOf(place.directory, settings(keys));

async function start(keys: string): Promise<void> {
  service = await place.start(settings(keys));
  clients = clientsOf(service.url);
}

async function stop(): Promise<void> {
  killAll(service);
  await service.ended;
}

const zonewright = (keys: string, ...args: string[]): Promise<Ended> =>
  runCommand(place.directory, environment(keys), args);
const dnssec = (...args: string[]): Promise<Ended> => zonewright(KEY, 'dnssec', ...args);

interface Shown {
  readonly state: string;
  readonly ds: readonly string[];
  readonly published_serial: number | null;
  readonly keys: readonly { readonly tag: number }[];
}

const shown = ({ id }: TestDomain): Promise<Shown> => bodyOf<Shown>(clients.call('get', `/v1/domains/${id}/dnssec`));

async function enable(domain: TestDomain, wish: object = {}): Promise<Shown> {
  await bodyOf(clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: true, ...wish }));
  await until(async () => (await shown(domain)).published_serial !== null);
  return shown(domain);
}

async function exported(domain: TestDomain): Promise<string[]> {
  const { code, stdout } = await dnssec('export-keys', domain.name, '--directory', place.directory);
  expect(code).toBe(0);
  return stdout.trim().split('\n');
}

describe('zonewright dnssec', () => {
  itWithBind('23.7: writes keys as BIND has them, and begins with keys that it is given', async () => {
    const domain = await newDomain(clients);
    const before = await enable(domain, { single_key: false });
    const stems = await exported(domain);
    expect(stems).toHaveLength(2);
    const digests: string[] = [];
    for (const stem of stems) {
      expect((await stat(`${stem}.private`)).mode & 0o777).toBe(0o600);
      const { output } = await run('dnssec-dsfromkey', ['-2', `${stem}.key`]);
      digests.push(output.trim().split(' ').slice(3).join(' ').toLowerCase());
    }
    const [ds = ''] = before.ds;
    expect(digests).toContain(ds.toLowerCase());
    // The files are not written over.
    expect((await dnssec('export-keys', domain.name, '--directory', place.directory)).code).toBe(1);

    const keys = stems.flatMap((stem) => ['--key', `${stem}.private`]);
    const other = await newDomain(clients);
    const refused = await dnssec('enable', other.name, ...keys);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('flags 257')]);
    await bodyOf(clients.call('put', `/v1/domains/${domain.id}/dnssec`, { enabled: false }));
    expect(await dnssec('enable', domain.name, ...keys)).toMatchObject({ code: 0, stderr: '' });
    const tags = ({ keys: some }: Shown): number[] => some.map(({ tag }) => tag).sort();
    expect(tags(await shown(domain))).toEqual(tags(before));
    await until(async () => (await shown(domain)).published_serial !== null);
    expect(await dnssec('check', '--all')).toMatchObject({ code: 0, stderr: '' });
  });

  it('23.7: encrypts all keys with a new key; the service does not start without the current key', async () => {
    const domain = await newDomain(clients);
    const { keys } = await enable(domain);
    await stop();
    const next = newKey();
    const refused = await runService(place.directory, environment(next));
    expect(refused.code).toBe(1);
    expect(refused.stdout + refused.stderr).toContain('key_encryption_keys lacks keys');
    expect((await zonewright(next, 'dnssec', 'rewrap')).code).toBe(1);
    const rewrapped = await zonewright(`${next},${KEY}`, 'dnssec', 'rewrap');
    expect([rewrapped.code, rewrapped.stdout]).toEqual([
      0,
      '1 key is encrypted with the first of key_encryption_keys now\n',
    ]);
    await start(next);
    expect((await shown(domain)).keys).toEqual(keys);
    const before = (await shown(domain)).published_serial ?? 0;
    await bodyOf(clients.call('post', `/v1/domains/${domain.id}/dnssec/resign`));
    await until(async () => ((await shown(domain)).published_serial ?? 0) > before);
    expect(await zonewright(next, 'dnssec', 'check', '--all')).toMatchObject({ code: 0, stderr: '' });
  });

  it('23.7: no private key is readable in the database, a backup, the log or API responses', async () => {
    const domain = await newDomain(clients);
    await enable(domain, { algorithm: 'ED25519' });
    await domain.newRecord();
    await bodyOf(clients.call('post', `/v1/domains/${domain.id}/dnssec/resign`));
    const [stem] = await exported(domain);
    const [, base64 = ''] = /PrivateKey: (\S+)/.exec(await readFile(`${stem}.private`, 'utf8')) ?? [];
    const secret = Buffer.from(base64, 'base64');
    expect(secret).toHaveLength(32);
    const told = await Promise.all(
      ['dnssec', 'history', 'export', 'export?signed=true', 'records'].map(
        async (what) => (await clients.call('get', `/v1/domains/${domain.id}/${what}`)).text,
      ),
    );
    const changes = (await clients.call('get', '/v1/changes')).text;
    const { stdout, stderr } = service.output();
    const places: (readonly [string, Buffer])[] = [...told, changes, stdout, stderr].map((text, at) => [
      `text ${at}`,
      Buffer.from(text),
    ]);
    if (!isPostgresUrl(place.database)) {
      expect((await zonewright(KEY, 'backup', 'copy.sqlite')).code).toBe(0);
      for (const file of await readdir(place.directory))
        if (file.includes('.sqlite')) places.push([file, await readFile(join(place.directory, file))]);
      expect(places.length).toBeGreaterThan(told.length + 4);
    }
    const forms = [
      secret,
      ...(['hex', 'base64', 'base64url'] as const).map((form) => Buffer.from(secret.toString(form))),
    ];
    // Inside longer data base64 has three alignments; this is the part common to all.
    const inside = [0, 1, 2].map((at) =>
      Buffer.from(
        Buffer.concat([Buffer.alloc(at), secret])
          .toString('base64')
          .slice(4, -4),
      ),
    );
    const found = places.filter(([, octets]) => [...forms, ...inside].some((form) => octets.includes(form)));
    expect(found.map(([place]) => place)).toEqual([]);
  });

  it('23.8: names broken domains and re-signs all domains', async () => {
    const domains = [await newDomain(clients), await newDomain(clients)];
    const before = await Promise.all(domains.map((domain) => enable(domain)));
    expect(await dnssec('status', '--broken')).toEqual({
      code: 0,
      stdout: 'no signed domain is halted or late\n',
      stderr: '',
    });
    const [{ id, name }] = domains as [TestDomain];
    storeRows(
      place.database,
      {},
      `UPDATE zone_signing SET halted_because = 'of this test', next_due_at = NULL WHERE zone_id = '${id}'`,
    );
    const broken = await dnssec('status', '--broken');
    expect([broken.code, broken.stderr]).toEqual([1, 'zonewright: 1 domain is broken\n']);
    expect(broken.stdout).toContain(`${name} halted: an operator must act: of this test\n`);
    expect(await dnssec('resign', '--all')).toMatchObject({
      code: 0,
      stdout: '2 domains are going to be signed anew\n',
    });
    await until(async () => {
      const serials = await Promise.all(domains.map(async (domain) => (await shown(domain)).published_serial ?? 0));
      return serials.every((serial, at) => serial > (before[at]?.published_serial ?? 0));
    });
    expect((await dnssec('status', '--broken')).code).toBe(0);
    expect((await dnssec('resign')).code).toBe(1);
    expect((await dnssec('resign', name, '--all')).code).toBe(1);
  });

  const itOnSqlite = ON_POSTGRES ? it.skip : it;

  itOnSqlite('17.4, 23.5: a restored backup is re-signed under unused serials', async () => {
    const domain = await newDomain(clients);
    await enable(domain);
    expect((await zonewright(KEY, 'backup', 'copy.sqlite')).code).toBe(0);
    for (let at = 0; at < 5; at += 1) await domain.newRecord({ name: domain.at(`lost${at}`) });
    const { serial } = await domain.now();
    await until(async () => ((await shown(domain)).published_serial ?? 0) >= serial);
    await stop();
    const file = place.database;
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
    await rename(join(place.directory, 'copy.sqlite'), file);
    expect((await zonewright(KEY, 'check', '--raise-serials')).code).toBe(0);
    await start(KEY);
    await until(async () => ((await shown(domain)).published_serial ?? 0) > serial);
    expect(await dnssec('check', '--all')).toMatchObject({ code: 0, stderr: '' });
    await domainOf(clients, domain).newRecord({ name: domain.at('after') });
    expect(await dnssec('check', '--all')).toMatchObject({ code: 0, stderr: '' });
  });
});
