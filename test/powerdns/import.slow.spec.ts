import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest } from '@jest/globals';
import { audit } from '../support/audit.js';
import { times } from '../support/length.js';
import { Daemon } from '../support/name-servers/daemon.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { contentsOf, PowerDnsClient, type PowerDnsZone, records, WITH_POWERDNS } from '../support/powerdns.js';
import { runCommand } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { databaseFileIn, environmentOf, type Settings, startTestService } from '../support/service.js';
import { Database } from '../support/sqlite.js';

jest.setTimeout(times(300_000, 3_600_000));

const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql';
const POWERDNS = { name: 'PowerDNS', needs: { pdns_server: 'pdns-server', [SCHEMA]: 'pdns-backend-sqlite3' } };
const KEY = 'key-of-powerdns';
const ZONES = times(60, 10_000);
const SIGNING: Settings = {
  ...WITH_POWERDNS,
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  SERVICE_DNSSEC__ENABLED: 'True',
  SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
};

let directory: string;
let url: string;
let server: Daemon | undefined;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-import-'));
});
afterAll(async () => {
  await server?.stop();
  await rm(directory, { recursive: true });
});

async function startPowerDns(): Promise<void> {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const file = join(directory, 'pdns.sqlite3');
  const database = new Database(file);
  database.exec(await readFile(SCHEMA, 'utf8'));
  database.close();
  const settings = [
    ...['launch=gsqlite3', `gsqlite3-database=${file}`, 'gsqlite3-pragma-synchronous=0', 'gsqlite3-dnssec=yes'],
    ...['api=yes', `api-key=${KEY}`, 'webserver=yes', 'webserver-address=127.0.0.1', `webserver-port=${port}`],
    ...['webserver-allow-from=127.0.0.1', 'local-address=127.0.0.1', `local-port=${await freePort()}`],
    ...['security-poll-suffix=', 'disable-syslog=yes', 'write-pid=no', `socket-dir=${directory}`],
  ];
  await writeFile(join(directory, 'pdns.conf'), `${settings.join('\n')}\n`);
  const isReady = async (): Promise<boolean> => (await call('GET', '').catch(() => ({ ok: false }))).ok;
  server = new Daemon(['pdns_server', `--config-dir=${directory}`, '--daemon=no', '--guardian=no'], isReady);
  await server.start();
}

function call(method: string, path: string, body?: object): Promise<Response> {
  const request = { method, headers: { 'X-API-Key': KEY }, ...(body && { body: JSON.stringify(body) }) };
  return fetch(`${url}/api/v1/servers/localhost${path}`, request);
}

async function newZone(name: string, fields: object = {}): Promise<void> {
  const nameservers = ['ns1.example.net.', 'ns2.example.net.'];
  const www = { name: `www.${name}`, type: 'A', ttl: 300, records: records(['192.0.2.1', '192.0.2.2']) };
  const answer = await call('POST', '/zones', { name, kind: 'Native', nameservers, rrsets: [www], ...fields });
  expect([answer.status, await answer.text()]).toEqual([201, expect.any(String)]);
}

describe('zonewright import-powerdns', () => {
  itWith(POWERDNS)('21.4, 21.9 migrates every zone from PowerDNS and reports differences', async () => {
    await startPowerDns();
    for (let at = 0; at < ZONES; at += 1) await newZone(`z${at}.example.org.`);
    const comments = [{ content: 'a comment', account: 'team', modified_at: 1_700_000_000 }];
    await newZone('full.example.net.', {
      ...{ kind: 'Master', account: 'acme', soa_edit_api: 'EPOCH' },
      rrsets: [
        {
          name: 'a.full.example.net.',
          type: 'A',
          ttl: 60,
          records: [{ content: '192.0.2.1', disabled: true }],
          comments,
        },
        { name: 't.full.example.net.', type: 'TXT', ttl: 60, records: records(['"a; b" "c"']) },
      ],
    });
    await newZone('bad.example.net.', {
      rrsets: [{ name: '-x.bad.example.net.', type: 'A', ttl: 60, records: records(['192.0.2.1']) }],
    });
    const env = environmentOf(directory, WITH_POWERDNS);
    expect((await runCommand(directory, env, ['migrate'])).code).toBe(0);
    const run = (...options: string[]) =>
      runCommand(directory, env, ['import-powerdns', url, '--key', KEY, '--tenant', 'tenant-a', ...options]);

    const checked = await run('--check');
    expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('refused: bad.example.net.')]);
    expect(checked.stdout).toContain(`${ZONES + 1} zones can be imported, 0 are there already, 1 are refused`);
    const refused = await run();
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('nothing was imported')]);

    const taken = await run('--skip-refused');
    expect(taken.stdout).toContain(`${ZONES + 1} zones imported`);
    expect(taken.stdout).toMatch(/differs: the SOA has the primary, timers and serial/);
    expect(taken.stdout).not.toMatch(/missing|additional|TTL of a record set|written differently/);
    expect((await run('--skip-refused')).stdout).toContain(`0 zones imported, ${ZONES + 1} are there already`);
    audit(databaseFileIn(directory));

    const service = await startTestService(WITH_POWERDNS, directory);
    try {
      const client = new PowerDnsClient(service);
      expect(await client.json<PowerDnsZone[]>('get', '/zones')).toHaveLength(ZONES + 1);
      const full = await client.zone('full.example.net.');
      expect(full).toMatchObject({ kind: 'Master', account: 'acme', soa_edit_api: 'EPOCH' });
      expect(full.rrsets.find(({ type }) => type === 'A')).toMatchObject({ comments, records: [{ disabled: true }] });
      expect(contentsOf(full.rrsets.find(({ type }) => type === 'NS'))).toEqual([
        'ns1.example.net.',
        'ns2.example.net.',
      ]);
      expect(contentsOf(full.rrsets.find(({ type }) => type === 'TXT'))).toEqual(['"a; b" "c"']);
    } finally {
      await service.stop();
    }
  });

  itWith(POWERDNS)('23.7: brings the keys of signed zones, so that the DS in the parent zone stays', async () => {
    const place = await mkdtemp(join(directory, 'signed-'));
    await newZone('csk.example.org.', { dnssec: true });
    await newZone('nsec3.example.org.', { dnssec: true, nsec3param: '1 0 0 -' });
    await newZone('split.example.org.');
    for (const keytype of ['ksk', 'zsk'])
      await call('POST', '/zones/split.example.org./cryptokeys', { keytype, algorithm: 'ed25519', active: true });
    await newZone('two.example.org.', { dnssec: true });
    await call('POST', '/zones/two.example.org./cryptokeys', { keytype: 'csk', algorithm: 'ed448', active: true });
    const dnskeysAt = async (zone: string): Promise<unknown[]> => {
      const keys = (await (await call('GET', `/zones/${zone}/cryptokeys`)).json()) as { readonly dnskey: string }[];
      return keys.map(({ dnskey }) => dnskey).sort();
    };
    const off = environmentOf(place, WITH_POWERDNS);
    expect((await runCommand(place, off, ['migrate'])).code).toBe(0);
    const on = environmentOf(place, SIGNING);
    const importing = (env: Record<string, string>, ...options: string[]) =>
      runCommand(place, env, [
        'import-powerdns',
        url,
        '--key',
        KEY,
        '--tenant',
        'tenant-a',
        '--skip-refused',
        ...options,
      ]);

    expect((await importing(off, '--check')).stdout).toContain(
      'DNSSEC keys are not imported: this service signs no domains: 4',
    );
    expect((await importing(on, '--check', '--without-keys')).stdout).toContain('DNSSEC keys are not imported: 4');
    const checked = await importing(on, '--check');
    expect(checked.stdout).toContain('refused: two.example.org. Bring one key of two.example.org. with the flags 257');
    const taken = await importing(on);
    expect(taken.stdout).toContain('3 of them with their DNSSEC keys');

    const service = await startTestService(SIGNING, place);
    try {
      const client = new PowerDnsClient(service);
      for (const zone of ['csk.example.org.', 'nsec3.example.org.', 'split.example.org.']) {
        const keys = await client.json<{ readonly dnskey: string }[]>('get', `/zones/${zone}/cryptokeys`);
        expect(keys.map(({ dnskey }) => dnskey).sort()).toEqual(await dnskeysAt(zone));
        const { body } = await service.plain('get', `/v1/domains?name=${zone}`).set('X-Auth-Project-ID', 'tenant-a');
        const [{ id }] = (body as { readonly domains: readonly [{ readonly id: string }] }).domains;
        const shown = await service.plain('get', `/v1/domains/${id}/dnssec`).set('X-Auth-Project-ID', 'tenant-a');
        expect(shown.body).toMatchObject({ denial: zone.startsWith('nsec3') ? 'nsec3' : 'nsec' });
      }
    } finally {
      await service.stop();
    }
  });

  itWith(POWERDNS)('21.4 reports a wrong URL or key in one line', async () => {
    const env = environmentOf(directory);
    for (const [args, words] of [
      [['nonsense', '--key', 'x'], 'is no URL'],
      [[url], '--key'],
      [[url, '--key', 'wrong'], '401'],
    ] as const) {
      const { code, stderr } = await runCommand(directory, env, ['import-powerdns', ...args]);
      expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining(words)]]);
    }
  });
});
