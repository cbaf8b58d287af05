import { createHash, randomUUID, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { framed } from '../../src/dns/message/message-writer.js';
import { bodyOf } from '../support/answers.js';
import { queryOf } from '../support/dns-client.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { Daemon } from '../support/name-servers/daemon.js';
import { freePort, serialOf } from '../support/name-servers/name-servers.js';
import { killAll, runService, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { itWith, run } from '../support/run-program.js';
import { type Clients, clientsOf, environmentOf, removeTestData, type Settings } from '../support/service.js';
import { inForm } from '../abuse/form.js';
import { until } from '../support/until.js';
import { recordsOfFile } from '../support/zone-records.js';

const OPENSSL = { openssl: 'openssl' };
const itWithOpenssl = itWith({ name: 'openssl', needs: OPENSSL });
const itWithKdig = itWith({ name: 'kdig', needs: { ...OPENSSL, kdig: 'knot-dnsutils' } });
const itWithBind = itWith({ name: 'BIND', needs: { ...OPENSSL, named: 'bind9', kdig: 'knot-dnsutils' } });
const itWithNsd = itWith({ name: 'NSD', needs: { ...OPENSSL, nsd: 'nsd', kdig: 'knot-dnsutils' } });

const NAME = 'primary.example.net';
const CLIENT = 'ns1.example.net';
const SERIAL = 2_026_112_901;
const PADDING = { code: 12, data: new Uint8Array() };
const HALF_OPEN = inForm(1000, 10_000);

let directory: string;
let service: ServiceProcess;
let clients: Clients;
/** Of TLS, of plain DNS, and of the two name servers. */
let port: number;
let plainPort: number;
let ports: { readonly BIND: number; readonly NSD: number };
let domain: TestDomain;

const file = (name: string): string => join(directory, name);

async function openssl(...args: string[]): Promise<void> {
  const { failed, output } = await run('openssl', args);
  if (failed) throw new Error(output);
}

/** A certificate of the name by the CA, as `<file>.pem` and `<file>.key`. */
async function certify(name: string, stem: string): Promise<void> {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file(`${stem}.key`)];
  await openssl('req', ...key, '-subj', `/CN=${name}`, '-out', file(`${stem}.csr`));
  await writeFile(file(`${stem}.ext`), `subjectAltName=DNS:${name}\n`);
  const authority = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-CAcreateserial', '-days', '1'];
  const names = ['-extfile', file(`${stem}.ext`), '-out', file(`${stem}.pem`)];
  await openssl('x509', '-req', '-in', file(`${stem}.csr`), ...authority, ...names);
}

const settings = (): Settings => ({
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__LISTEN: `127.0.0.1:${plainPort}`,
  SERVICE_MDNS__TLS_LISTEN: `127.0.0.1:${port}`,
  SERVICE_MDNS__TLS_CERTIFICATE: file('server.pem'),
  SERVICE_MDNS__TLS_KEY: file('server.key'),
  SERVICE_MDNS__TLS_CLIENT_CA: file('ca.pem'),
  SERVICE_MDNS__ALLOW_TRANSFER: `127.0.0.1@tls:${CLIENT}`,
  SERVICE_MDNS__ALLOW_QUERY: '127.0.0.1@tls',
  SERVICE_MDNS__SECONDARIES: `127.0.0.1:${ports.BIND},127.0.0.1:${ports.NSD}`,
  SERVICE_MDNS__MAX_CONNECTIONS: '400',
  SERVICE_MDNS__MAX_CONNECTIONS_PER_ADDRESS: '200',
  SERVICE_MDNS__IDLE_TIMEOUT: '60',
});

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-tls-'));
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file('ca.key')];
  await openssl('req', '-x509', ...key, '-subj', '/CN=CA', '-days', '1', '-out', file('ca.pem'));
  await certify(NAME, 'server');
  await certify(CLIENT, 'client');
  await certify('other.example.net', 'other');
  [port, plainPort] = [await freePort(), await freePort()];
  ports = { BIND: await freePort(), NSD: await freePort() };
  service = await startServiceProcess(directory, environmentOf(directory, settings()));
  clients = clientsOf(service.url);
  domain = await newDomain(clients);
  await domain.newRecord();
});
afterAll(async () => {
  killAll(service);
  await service.ended;
  await removeTestData(directory);
});

/** @param stem of the client certificate; empty: none */
async function axfr(stem: string, tls = true): Promise<string> {
  const certificate =
    stem === '' ? [] : [`+tls-certfile=${file(`${stem}.pem`)}`, `+tls-keyfile=${file(`${stem}.key`)}`];
  const over = tls
    ? ['-p', String(port), `+tls-ca=${file('ca.pem')}`, `+tls-hostname=${NAME}`, ...certificate]
    : ['-p', String(plainPort)];
  return (await run('kdig', ['@127.0.0.1', ...over, '+noall', '+answer', '+comments', domain.name, 'AXFR'])).output;
}

/** A TLS connection. @param alpn what it offers */
function connected(alpn: string[] = ['dot'], maxVersion: 'TLSv1.3' | 'TLSv1.2' = 'TLSv1.3'): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: alpn, maxVersion });
  return new Promise((resolve, reject) => {
    socket.once('secureConnect', () => resolve(socket));
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('closed')));
  });
}

/** The next message, without its length. */
async function answerTo(socket: TLSSocket, query: Uint8Array): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const received = new Promise<Buffer>((resolve, reject) => {
    socket.once('close', () => reject(new Error('closed')));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const all = Buffer.concat(chunks);
      if (all.length > 1 && all.length >= 2 + all.readUInt16BE()) resolve(all.subarray(2, 2 + all.readUInt16BE()));
    });
  });
  socket.write(framed(query));
  return received;
}

describe('DNS over TLS', () => {
  itWithKdig('12.10 transfers a domain to a client certificate of the configured name only', async () => {
    const [whole, other, none] = [await axfr('client'), await axfr('other'), await axfr('')];
    expect(recordsOfFile(whole.replace(/^;.*$/gm, ''), domain.name)).toEqual(
      recordsOfFile(await domain.export(), domain.name),
    );
    for (const refused of [other, none]) expect(refused).toMatch(/REFUSED/);
    // Nothing falls back to plain DNS.
    expect(await axfr('', false)).toMatch(/REFUSED/);
  });

  itWithOpenssl('12.10 needs TLS 1.3 and the protocol "dot"', async () => {
    await expect(connected(['dot'], 'TLSv1.2')).rejects.toThrow();
    await expect(connected(['http/1.1'])).rejects.toThrow();
    const socket = await connected();
    expect([socket.getProtocol(), socket.alpnProtocol]).toEqual(['TLSv1.3', 'dot']);
    socket.destroy();
  });

  itWithOpenssl('12.10 pads answers to multiples of 468 octets for clients that pad', async () => {
    const socket = await connected();
    const edns = { udpPayloadSize: 1232, version: 0, isDnssecOk: false, options: [PADDING] };
    const padded = await answerTo(socket, queryOf({ name: domain.name, type: SOA.code, edns }));
    expect(padded).toHaveLength(468);
    const plain = await answerTo(await connected(), queryOf({ name: domain.name, type: SOA.code }));
    expect(plain.length).toBeLessThan(200);
    const refused = await answerTo(await connected(), queryOf({ name: domain.name, type: MetaType.AXFR, edns }));
    expect(refused.readUInt16BE(2) & 0xf).toBe(5);
    socket.destroy();
  });

  itWithOpenssl('12.10 serves with a new certificate a few seconds after its files have changed', async () => {
    const before = await connected();
    const { fingerprint256 } = before.getPeerCertificate();
    await certify(NAME, 'next');
    await rename(file('next.key'), file('server.key'));
    await rename(file('next.pem'), file('server.pem'));
    await until(async () => {
      const socket = await connected();
      const renewed = socket.getPeerCertificate().fingerprint256;
      // A client that vanishes at this moment has a handshake here until it takes too long.
      socket.end();
      await once(socket, 'close');
      return renewed !== fingerprint256;
    });
    // Connections stay.
    expect((await answerTo(before, queryOf({ name: domain.name, type: SOA.code }))).readUInt16BE(2) & 0xf).toBe(0);
    before.destroy();
  });

  itWithBind('12.10 BIND transfers and follows a domain over TLS', async () => {
    await mkdir(file('bind'));
    await writeFile(
      file('bind/named.conf'),
      `controls { };
options { directory "${file('bind')}"; listen-on port ${ports.BIND} { 127.0.0.1; }; listen-on-v6 { none; };
  pid-file "${file('bind/named.pid')}"; session-keyfile none; recursion no; dnssec-validation no; minimal-responses yes; };
tls zonewright { ca-file "${file('ca.pem')}"; remote-hostname "${NAME}";
  cert-file "${file('client.pem')}"; key-file "${file('client.key')}"; };
zone "${domain.name}" { type secondary; file "copy"; primaries { 127.0.0.1 port ${port} tls zonewright; }; };
`,
    );
    await follows(new Daemon(['named', '-g', '-n', '1', '-c', file('bind/named.conf')], isServing('BIND')), 'BIND');
  });

  itWithNsd('12.10 NSD transfers and follows a domain over TLS', async () => {
    await mkdir(file('nsd'));
    const own = ['pidfile: "nsd.pid"', 'xfrdfile: "xfrd.state"', 'zonelistfile: "zone.list"', 'database: ""'];
    await writeFile(
      file('nsd/nsd.conf'),
      `server:
  zonesdir: "${file('nsd')}"
  xfrdir: "${file('nsd')}"
  username: ""
  server-count: 1
  ip-address: 127.0.0.1@${ports.NSD}
  tls-cert-bundle: "${file('ca.pem')}"
  ${own.map((line) => line.replace('"', `"${line.includes('""') ? '' : `${file('nsd')}/`}`)).join('\n  ')}
remote-control:
  control-enable: no
tls-auth:
  name: zonewright
  auth-domain-name: ${NAME}
  client-cert: "${file('client.pem')}"
  client-key: "${file('client.key')}"
zone:
  name: ${domain.name}
  allow-notify: 127.0.0.1 NOKEY
  request-xfr: AXFR 127.0.0.1@${port} NOKEY zonewright
  provide-xfr: 127.0.0.1 NOKEY
`,
    );
    await follows(new Daemon(['nsd', '-d', '-V', '2', '-c', file('nsd/nsd.conf')], isServing('NSD')), 'NSD');
  });

  describe('of a primary', () => {
    const zone = `signed-${randomUUID()}.example.org.`;
    let primaryPort: number;
    let daemon: Daemon;

    /** Serves the zone over TLS alone, with the certificate of the name. */
    async function startPrimary(stem: string): Promise<void> {
      await writeFile(
        file('primary.zone'),
        `$TTL 60\n@ SOA ns1.example.net. who.example.net. ${SERIAL} 3600 2 86400 300\n@ NS ns1.example.net.\nwww A 192.0.2.1\n`,
      );
      await writeFile(
        file('primary.conf'),
        `controls { };
options { directory "${directory}"; listen-on port ${primaryPort} tls own { 127.0.0.1; }; listen-on-v6 { none; };
  pid-file "${file('primary.pid')}"; session-keyfile none; recursion no; dnssec-validation no;
  allow-transfer { 127.0.0.1; }; };
tls own { cert-file "${file(`${stem}.pem`)}"; key-file "${file(`${stem}.key`)}"; };
zone "${zone}" { type primary; file "primary.zone"; };
`,
      );
      daemon = new Daemon(['named', '-g', '-n', '1', '-c', file('primary.conf')], async () =>
        daemon.log.includes('running'),
      );
      await daemon.start();
    }

    /** The service with that entry of `tls_masters`, and whether the zone came. */
    async function transferredWith(entry: string): Promise<{ readonly isThere: boolean; readonly log: string }> {
      const place = await mkdtemp(join(directory, 'secondary-'));
      const secondary = await startServiceProcess(place, {
        ...environmentOf(place, {
          SERVICE_MDNS__ENABLED: 'True',
          SERVICE_MDNS__LISTEN: `127.0.0.1:${await freePort()}`,
          SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
          SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8',
          SERVICE_MDNS__TLS_MASTERS: entry,
          SERVICE_MDNS__TLS_MASTERS_CA: file('ca.pem'),
        }),
      });
      try {
        const admin = clientsOf(secondary.url).as('tenant-a', 'admin');
        const body = { name: zone, type: 'SECONDARY', masters: [`127.0.0.1:${primaryPort}`] };
        const { id } = await bodyOf<{ readonly id: string }>(admin.call('post', '/v2/zones', body), 202);
        const said = (): string => secondary.output().stdout + secondary.output().stderr;
        const isThere = async (): Promise<boolean> =>
          (await bodyOf<{ readonly serial: number }>(admin.call('get', `/v2/zones/${id}`))).serial === SERIAL;
        await until(async () => (await isThere()) || said().includes('TLS: '));
        return { isThere: await isThere(), log: said() };
      } finally {
        killAll(secondary);
        await secondary.ended;
      }
    }

    itWithBind('12.10 takes a zone from the primary that has the name or the key, and from no other', async () => {
      primaryPort = await freePort();
      await startPrimary('server');
      try {
        expect(await transferredWith(`127.0.0.0/8#${NAME}`)).toMatchObject({ isThere: true });
        expect(await transferredWith(`127.0.0.1#sha256:${await pinOf('server')}`)).toMatchObject({ isThere: true });
        const named = await transferredWith('127.0.0.1#other.example.net');
        expect([named.isThere, named.log]).toEqual([false, expect.stringMatching(/TLS: .*other\.example\.net/)]);
        const pinned = await transferredWith(`127.0.0.1#sha256:${await pinOf('other')}`);
        expect([pinned.isThere, pinned.log]).toEqual([false, expect.stringContaining('another public key')]);
      } finally {
        await daemon.stop();
      }
    });
  });

  itWithOpenssl(`12.10 serves others while ${HALF_OPEN} handshakes are half open`, async () => {
    const sockets: Socket[] = [];
    for (let at = 0; at < HALF_OPEN; at += 1) {
      const socket = connectTcp({ host: '127.0.0.1', port });
      socket.on('error', () => undefined);
      // The header of a ClientHello that never comes.
      socket.write(Uint8Array.from([0x16, 3, 1, 0, 200, 1, 0, 0]));
      sockets.push(socket);
      if (at % 100 === 0) await new Promise(setImmediate);
    }
    const begun = performance.now();
    const socket = await connected();
    const answer = await answerTo(socket, queryOf({ name: domain.name, type: SOA.code }));
    expect(answer.readUInt16BE(2) & 0xf).toBe(0);
    expect(performance.now() - begun).toBeLessThan(5000);
    await until(() => sockets.every(({ destroyed }) => destroyed));
    socket.destroy();
  });

  it('12.10 is not started without a usable certificate', async () => {
    const start = (own: Settings) => runService(directory, environmentOf(directory, { ...settings(), ...own }));
    const missing = await start({ SERVICE_MDNS__TLS_KEY: file('nowhere.key') });
    expect([missing.code, missing.stderr + missing.stdout]).toEqual([
      1,
      expect.stringContaining('tls_certificate, tls_key'),
    ]);
    const halved = await start({ SERVICE_MDNS__TLS_KEY: '' });
    expect([halved.code, halved.stderr + halved.stdout]).toEqual([
      1,
      expect.stringContaining('needs [service:mdns] tls_certificate'),
    ]);
    const open = await start({ SERVICE_MDNS__TLS_CLIENT_CA: '' });
    expect([open.code, open.stderr + open.stdout]).toEqual([1, expect.stringContaining('tls_client_ca')]);
  });
});

async function pinOf(stem: string): Promise<string> {
  const { publicKey } = new X509Certificate(await readFile(file(`${stem}.pem`)));
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
}

const isServing = (name: keyof typeof ports) => async () => (await serialOf(ports[name], domain.name)) !== null;

/** The server has the domain, and its next change. */
async function follows(daemon: Daemon, name: keyof typeof ports): Promise<void> {
  const serves = async (): Promise<boolean> =>
    (await serialOf(ports[name], domain.name)) === (await domain.now()).serial;
  try {
    await daemon.start();
    await until(serves);
    await domain.newRecord({ name: domain.at(`h-${name}`) });
    await until(serves);
  } catch (error) {
    throw new Error(daemon.log.slice(-4000), { cause: error });
  } finally {
    await daemon.stop();
  }
}
