import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import {
  DOCUMENTED_KEY,
  DOCUMENTED_SECRET,
  type NameServer,
  nameServer,
  NEEDS,
  serialOf,
} from '../support/name-servers/name-servers.js';
import { KNOTD, type PrimaryServer, startPrimary } from '../support/primary-servers.js';
import { itWith, run } from '../support/run-program.js';
import { until } from '../support/until.js';

const SERVERS = ['BIND', 'Knot', 'NSD', 'PowerDNS'] as const;
const SERIAL = 2_026_112_301;
/** PowerDNS looks for work once a second. */
const PATIENCE = 20_000;
const KEY = {
  name: DomainName.parse(`${DOCUMENTED_KEY}.`),
  algorithm: 'hmac-sha256',
  secret: Buffer.from(DOCUMENTED_SECRET, 'base64'),
} as const;
const ZONE = `
example.org. 300 IN SOA ns1.example.org. hostmaster.example.org. ${SERIAL} 3600 600 86400 300
example.org. 300 IN NS ns1.example.org.
ns1.example.org. 300 IN A 192.0.2.53
www.example.org. 300 IN A 192.0.2.1
`;

const SIGNING = { 'ldns-keygen': 'ldnsutils', 'ldns-signzone': 'ldnsutils', dig: 'bind9-dnsutils' };

describe.each(SERVERS)('%s as docs/publishing.md has it', (name) => {
  const itWithPrograms = itWith({
    name: `a signed zone on ${name}`,
    needs: { ...NEEDS[name], ...KNOTD.needs, ...SIGNING },
  });

  let directory: string;
  let primary: PrimaryServer | null;
  let server: NameServer | null;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-signed-'));
    primary = server = null;
  });
  afterEach(async () => {
    await server?.stop();
    await primary?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  /** The zone with the signatures of a new key. */
  async function signed(): Promise<string> {
    const { stdout } = await printed('ldns-keygen', ['-a', 'ECDSAP256SHA256', 'example.org']);
    const [file, key] = [join(directory, 'unsigned'), join(directory, stdout.trim())];
    await writeFile(file, ZONE);
    await printed('ldns-signzone', ['-n', '-f', join(directory, 'signed'), file, key]);
    return readFile(join(directory, 'signed'), 'utf8');
  }

  async function printed(program: string, parameters: readonly string[]) {
    const done = await run('env', ['--chdir', directory, program, ...parameters]);
    if (done.failed) throw new Error(done.output);
    return done;
  }

  itWithPrograms(
    'answers for a signed zone with its signatures',
    async () => {
      primary = await startPrimary(KNOTD, await signed(), KEY);
      server = await nameServer(name, { directory, primary: primary.port, zones: ['example.org'] });
      await server.start();
      const { port } = server;
      await until(async () => (await serialOf(port, 'example.org.')) === SERIAL, PATIENCE);
      const ask = async (...question: string[]) =>
        (await printed('dig', ['@127.0.0.1', '-p', String(port), '+dnssec', '+norecurse', ...question])).stdout;
      expect(await ask('www.example.org.', 'A')).toMatch(/^www\.example\.org\.\s+300\s+IN\s+RRSIG\s+A 13 3 300 /m);
      expect(await ask('example.org.', 'DNSKEY')).toMatch(/^example\.org\.\s+300\s+IN\s+RRSIG\s+DNSKEY 13 2 300 /m);
      const denial = await ask('none.example.org.', 'A');
      expect(denial).toContain('status: NXDOMAIN');
      expect(denial).toMatch(/IN\s+RRSIG\s+SOA 13 2 /);
      expect(denial).toMatch(/IN\s+RRSIG\s+NSEC3 13 3 /);
    },
    120_000,
  );
});
