import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { X509Certificate } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { acmeRestrictions } from '../../src/auth/scopes/acme.js';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/soa.js';
import { AcmeDirectory } from '../support/acme-directory.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { WITH_POWERDNS } from '../support/powerdns.js';
import { itWith } from '../support/run-program.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

const LEGO = { name: 'lego', needs: { lego: 'lego', openssl: 'openssl' } };
const PATIENCE = 120_000;

let service: TokenService;
let authority: AcmeDirectory;
let wide: TokenClient;
let domain: TestDomain;
let resolver: Socket;
let directory: string;

beforeAll(async () => {
  service = await startTokenService(WITH_POWERDNS);
  directory = await mkdtemp(join(tmpdir(), 'zonewright-lego-'));
  wide = await service.newToken();
  domain = await newDomain(wide);
  authority = await AcmeDirectory.start(textsAt);
  resolver = await resolverOf(domain.name);
});
afterAll(async () => {
  resolver.close();
  await authority.stop();
  await service.stop();
  await rm(directory, { recursive: true });
});

async function textsAt(name: string): Promise<readonly string[]> {
  const wanted = name.endsWith('.') ? name : `${name}.`;
  const found = (await domain.records()).filter((record) => record.type === 'TXT' && record.name === wanted);
  return found.map(({ data }) => data.slice(1, -1));
}

/** lego asks the DNS which zone a name is in: no other question is answered. */
async function resolverOf(zone: string): Promise<Socket> {
  const asked = DomainName.parse(zone);
  const soa = SOA.parse(`ns.${zone} hostmaster.${zone} 1 3600 600 1209600 3600`, null);
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const name = DomainName.read(query, HEADER);
    const question = query.subarray(HEADER, HEADER + name.wire.length + 4);
    const isZone = name.equals(asked);
    const counts = Buffer.from([0, 1, 0, isZone ? 1 : 0, 0, 0, 0, 0]);
    // An answer (QR), authoritative (AA), NOERROR; of type SOA, class IN, ttl 60.
    const head = Buffer.concat([query.subarray(0, 2), Buffer.from([0x84, 0x00]), counts, question]);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(soa.length);
    const answer = [name.wire, Buffer.from([0, 6, 0, 1, 0, 0, 0, 60]), length, soa];
    socket.send(Buffer.concat(isZone ? [head, ...answer] : [head]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}

const HEADER = 12;

describe("lego's provider pdns", () => {
  itWith(LEGO)(
    '21.1, 21.6 proves a name and its wildcard with a token for that alone, and leaves nothing in the zone',
    async () => {
      const { token } = await service.newToken({ restrictions: acmeRestrictions([domain.name]) });
      const name = domain.name.slice(0, -1);
      const account = ['--accept-tos', '--email', 'hostmaster@example.org', '--server', authority.url];
      const resolvers = ['--dns.resolvers', `127.0.0.1:${resolver.address().port}`];
      const how = ['--dns', 'pdns', '--dns.disable-cp', ...resolvers, '--path', directory];
      const env = {
        ...{ PATH: process.env.PATH, PDNS_API_URL: service.url, PDNS_API_KEY: token },
        ...{ PDNS_POLLING_INTERVAL: '1', LEGO_DISABLE_CNAME_SUPPORT: 'true' },
      };
      const domains = ['--domains', name, '--domains', `*.${name}`];
      const { code, output } = await run('lego', [...account, ...how, ...domains, 'run'], env);
      expect([code, output]).toEqual([0, expect.any(String)]);
      const certificate = new X509Certificate(await readFile(join(directory, `certificates/${name}.crt`)));
      expect(await authority.hasSigned(certificate)).toBe(true);
      expect(await domain.records()).toEqual([]);
    },
    PATIENCE,
  );
});

function run(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ code: number; output: string }> {
  return new Promise((end) => {
    execFile(program, args, { env, timeout: PATIENCE }, (error, stdout, stderr) =>
      end({ code: error === null ? 0 : 1, output: stdout + stderr }),
    );
  });
}
