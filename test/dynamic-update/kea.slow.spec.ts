import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { A } from '../../src/dns/rdata/address-types.js';
import { DHCID } from '../../src/dns/rdata/base64-types.js';
import { PTR } from '../../src/dns/rdata/name-types.js';
import { bodyOf } from '../support/answers.js';
import { spawnTied } from '../support/children.js';
import { Pool } from '../publishing/pool.js';
import { ask, rcodeOf } from '../support/dns-client.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { freePort, NEEDS } from '../support/name-servers/name-servers.js';
import { isInstalled, itWith, type Program } from '../support/run-program.js';
import { type KeyBody, newUpdateKey } from '../support/updates.js';
import { until } from '../support/until.js';

const KEA: Program = {
  name: "Kea's D2 and BIND",
  needs: { 'kea-dhcp-ddns': 'kea-dhcp-ddns-server', ...NEEDS.BIND },
};
const PATIENCE = 300_000;
const FORWARD = 'lan.example.org.';
const REVERSE = '2.0.192.in-addr.arpa.';
const TYPES = { A, PTR, DHCID };

/** A lease message of a DHCP server to D2 (NameChangeRequest, in JSON). */
interface Lease {
  readonly host: string;
  readonly address: string;
  readonly client: string;
  /** 0 adds it, 1 removes it. */
  readonly change: 0 | 1;
  readonly resolvesConflicts?: boolean;
}

let pool: Pool;
let forward: TestDomain;
let reverse: TestDomain;
let key: KeyBody;
let directory: string;
let d2: ChildProcess | null = null;
let port: number;
let said = '';
beforeAll(async () => {
  if (!isInstalled(KEA)) return;
  const settings = { SERVICE_MDNS__UPDATES: 'True' };
  pool = await Pool.start({ directory: await mkdtemp(join(tmpdir(), 'zonewright-')), servers: ['BIND'], settings });
  forward = await newDomain(pool.clients, FORWARD);
  reverse = await newDomain(pool.clients, REVERSE);
  key = await newUpdateKey(pool.clients, { domains: [FORWARD, REVERSE], types: ['A', 'AAAA', 'DHCID', 'PTR'] });
  directory = await mkdtemp(join(tmpdir(), 'zonewright-kea-'));
  await startKea();
}, PATIENCE);
afterAll(async () => {
  if (!isInstalled(KEA)) return;
  d2?.kill('SIGKILL');
  await pool.stop();
  await rm(directory, { recursive: true });
});

async function startKea(): Promise<void> {
  port = await freePort();
  const servers = [{ 'ip-address': '127.0.0.1', port: pool.port }];
  const zone = (name: string) => ({ name, 'key-name': key.name, 'dns-servers': servers });
  const configuration = {
    DhcpDdns: {
      'ip-address': '127.0.0.1',
      port,
      'dns-server-timeout': 10_000,
      'tsig-keys': [{ name: key.name, algorithm: 'HMAC-SHA256', secret: key.secret }],
      'forward-ddns': { 'ddns-domains': [zone(FORWARD)] },
      'reverse-ddns': { 'ddns-domains': [zone(REVERSE)] },
      loggers: [{ name: 'kea-dhcp-ddns', output_options: [{ output: 'stdout' }], severity: 'INFO' }],
    },
  };
  const path = join(directory, 'kea.conf');
  await writeFile(path, JSON.stringify(configuration));
  const env = { ...process.env, KEA_PIDFILE_DIR: directory, KEA_LOCKFILE_DIR: 'none' };
  d2 = spawnTied('/usr/sbin/kea-dhcp-ddns', ['-c', path], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [d2.stdout, d2.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await until(() => said.includes('DHCP_DDNS_STARTED') || d2?.exitCode !== null);
}

/** Tells D2, and waits until it says that it has done with this. */
async function tell({ host, address, client, change, resolvesConflicts = true }: Lease): Promise<void> {
  const request = {
    'change-type': change,
    'forward-change': true,
    'reverse-change': true,
    fqdn: `${host}.${FORWARD}`,
    'ip-address': address,
    dhcid: digestOf(client).toString('hex'),
    'lease-expires-on': '20300101000000',
    'lease-length': 3600,
    'use-conflict-resolution': resolvesConflicts,
  };
  const text = Buffer.from(JSON.stringify(request));
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  const before = endings();
  const socket = createSocket('udp4');
  socket.send(Buffer.concat([length, text]), port, '127.0.0.1', () => socket.close());
  await until(() => endings() > before);
}

/** RFC 4701 §3.3: the type of the identifier, that of the digest, the digest. */
function digestOf(client: string): Buffer {
  return Buffer.concat([Buffer.of(0, 1, 1), createHash('sha256').update(client).digest()]);
}

const endings = (): number => said.match(/DHCP_DDNS_(ADD|REMOVE)_(SUCCEEDED|FAILED)/g)?.length ?? 0;

async function leases(): Promise<string[]> {
  const lines = [...linesOfExport(await forward.export()), ...linesOfExport(await reverse.export())];
  return lines.filter((line) => / (A|PTR) /.test(line)).map((line) => line.replaceAll(`.${FORWARD}`, ''));
}

/** The response of BIND: addresses, names, or the RCODE. */
async function onBind(name: string, type: 'A' | 'PTR' | 'DHCID'): Promise<string> {
  const answer = await ask(pool.server('BIND'), { name, type: TYPES[type].code });
  const data = answer.answers.map(({ rdata }) => TYPES[type].toText(rdata));
  return data.length > 0 ? data.join(' ') : rcodeOf(answer);
}

describe("Kea's D2", () => {
  const it = itWith(KEA);

  it(
    '20.3, 20.4, 12.3 registers leases, which reach BIND, refuses those of other clients, and removes them, with and without conflict resolution',
    async () => {
      await tell({ host: 'printer', address: '192.0.2.7', client: 'one', change: 0 });
      expect(await leases()).toEqual(['printer 3600 A 192.0.2.7', '7.2.0.192.in-addr.arpa. 3600 PTR printer']);
      await until(async () => (await onBind(`printer.${FORWARD}`, 'A')) === '192.0.2.7');
      await until(async () => (await onBind(`7.${REVERSE}`, 'PTR')) === `printer.${FORWARD}`);
      expect(await onBind(`printer.${FORWARD}`, 'DHCID')).toBe(digestOf('one').toString('base64'));
      await tell({ host: 'printer', address: '192.0.2.9', client: 'another', change: 0 });
      expect((await leases()).filter((line) => line.includes(' A '))).toEqual(['printer 3600 A 192.0.2.7']);
      await tell({ host: 'printer', address: '192.0.2.8', client: 'one', change: 0 });
      expect((await leases()).filter((line) => line.includes(' A '))).toEqual(['printer 3600 A 192.0.2.8']);
      await tell({ host: 'printer', address: '192.0.2.9', client: 'another', change: 0, resolvesConflicts: false });
      expect((await leases()).filter((line) => line.includes(' A '))).toEqual(['printer 3600 A 192.0.2.9']);
      await tell({ host: 'printer', address: '192.0.2.9', client: 'another', change: 1 });
      expect((await leases()).filter((line) => line.includes(' A '))).toEqual([]);
      const { records } = await bodyOf<{ records: unknown[] }>(forward.list());
      expect(records).toEqual([]);
      await until(async () => (await onBind(`printer.${FORWARD}`, 'A')) === 'NXDOMAIN');
    },
    PATIENCE,
  );
});
