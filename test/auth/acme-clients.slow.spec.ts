import { X509Certificate } from 'node:crypto';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { acmeRestrictions } from '../../src/auth/scopes/acme.js';
import { DomainName } from '../../src/dns/name.js';
import { STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { MetaType } from '../../src/dns/message/codes.js';
import { AcmeDirectory } from '../support/acme-directory.js';
import { type Place, transfer } from '../support/dns-client.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { itWith, type Program } from '../support/run-program.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

const HOOK = resolve('examples/acme-dns01/zonewright-hook.sh');
const COMMON = { curl: 'curl', sh: 'dash', openssl: 'openssl' };
const CERTBOT: Program = { name: 'certbot', needs: { ...COMMON, certbot: 'certbot' } };
const LEGO: Program = { name: 'lego', needs: { ...COMMON, lego: 'lego' } };
const PATIENCE = 60_000;
const TXT = STANDARD_TYPES.find(({ name }) => name === 'TXT')!.code;

interface Ended {
  readonly code: number;
  readonly output: string;
}

let service: TokenService;
let dns: Place;
let authority: AcmeDirectory;
let domain: TestDomain;
let token: TokenClient;
let directory: string;

beforeAll(async () => {
  service = await startTokenService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  });
  dns = { port: Number(/:(\d+)$/.exec(service.running.dnsUrl ?? '')?.[1]) };
  authority = await AcmeDirectory.start(textsAt);
});
afterAll(async () => {
  await authority.stop();
  await service.stop();
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-acme-client-'));
  const wide = await service.newToken();
  domain = await newDomain(wide);
  token = await service.newToken({ restrictions: acmeRestrictions([domain.name]) });
});
afterEach(() => rm(directory, { recursive: true }));

/** As a name server has them that transfers the zone. */
async function textsAt(name: string): Promise<readonly string[]> {
  const { records } = await transfer(dns, { name: domain.name, type: MetaType.AXFR });
  const wanted = DomainName.parse(name).key;
  return records
    .filter(({ owner, type }) => type === TXT && owner.key === wanted)
    .map(({ rdata }) => Buffer.from(rdata.subarray(1)).toString('latin1'));
}

/** The domain without its last dot, and everything in it. */
const names = (): string[] => [domain.name.slice(0, -1), `*.${domain.name.slice(0, -1)}`];

async function run(program: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
  const file = join(directory, 'token');
  await writeFile(file, `${token.token}\n`, { mode: 0o600 });
  const settings = { PATH: process.env.PATH, ZONEWRIGHT_URL: service.url, ZONEWRIGHT_TOKEN_FILE: file, ...env };
  return new Promise((end) => {
    execFile(program, args, { env: settings, timeout: PATIENCE }, (error, stdout, stderr) =>
      end({ code: error === null ? 0 : 1, output: stdout + stderr }),
    );
  });
}

function certbot(hook = `${HOOK} auth`): Promise<Ended> {
  const folders = ['config', 'work', 'logs'].flatMap((name) => [`--${name}-dir`, join(directory, name)]);
  const account = ['--agree-tos', '--register-unsafely-without-email', '--server', authority.url];
  const hooks = ['--manual-auth-hook', hook, '--manual-cleanup-hook', `${HOOK} cleanup`];
  const domains = names().flatMap((name) => ['-d', name]);
  const how = ['--non-interactive', '--manual', '--preferred-challenges', 'dns'];
  return run('certbot', ['certonly', ...how, ...account, ...folders, ...hooks, ...domains]);
}

async function expectCertificate(path: string): Promise<void> {
  const certificate = new X509Certificate(await readFile(join(directory, path)));
  expect(await authority.hasSigned(certificate)).toBe(true);
  expect(certificate.subjectAltName?.split(', ').sort()).toEqual(
    names()
      .map((name) => `DNS:${name}`)
      .sort(),
  );
  expect(await domain.records()).toEqual([]);
}

describe('14.2 a certificate by examples/acme-dns01', () => {
  const itCertbot = itWith(CERTBOT);

  itCertbot(
    '14.2 (attack case 116) certbot gets one for a name and its wildcard, and leaves nothing in the zone',
    async () => {
      const before = authority.judged('valid');
      const { code, output } = await certbot();
      expect([code, output]).toEqual([0, expect.stringContaining('Successfully received certificate')]);
      expect(authority.judged('valid') - before).toBe(2);
      await expectCertificate(`config/live/${names()[0]!}/cert.pem`);
    },
    PATIENCE,
  );

  itCertbot(
    '14.2 certbot gets none where the record is missing, or says something else',
    async () => {
      for (const hook of ['true', `env CERTBOT_VALIDATION=${'x'.repeat(43)} ${HOOK} auth`]) {
        const before = authority.judged('invalid');
        const { code, output } = await certbot(hook);
        expect([code, output]).toEqual([1, expect.stringContaining('Some challenges have failed')]);
        expect(authority.judged('invalid')).toBeGreaterThan(before);
      }
    },
    PATIENCE,
  );

  itWith(LEGO)(
    '14.2 (attack cases 115, 116) lego gets one for a name and its wildcard, and leaves nothing in the zone',
    async () => {
      const account = ['--accept-tos', '--email', 'hostmaster@example.org', '--server', authority.url];
      // It would ask the world's name servers whether the record is there.
      const how = ['--dns', 'exec', '--dns.disable-cp', '--path', directory];
      const domains = names().flatMap((name) => ['--domains', name]);
      const pauses = { EXEC_SEQUENCE_INTERVAL: '1', EXEC_POLLING_INTERVAL: '1' };
      const settings = { EXEC_PATH: HOOK, LEGO_DISABLE_CNAME_SUPPORT: 'true', ...pauses };
      const { code, output } = await run('lego', [...account, ...how, ...domains, 'run'], settings);
      expect([code, output]).toEqual([0, expect.any(String)]);
      await expectCertificate(`certificates/${names()[0]!}.crt`);
    },
    PATIENCE,
  );
});
