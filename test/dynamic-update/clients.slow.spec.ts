import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { acmeRestrictions } from '../../src/auth/scopes/acme.js';
import { MetaType } from '../../src/dns/message/codes.js';
import { DomainName } from '../../src/dns/name.js';
import { TXT } from '../../src/dns/rdata/text-types.js';
import { AcmeDirectory } from '../support/acme-directory.js';
import { transfer } from '../support/dns-client.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { itWith, type Program, type Run } from '../support/run-program.js';
import { type KeyBody, type KeyFields, startUpdateService, type UpdateService } from '../support/updates.js';

const NSUPDATE: Program = { name: 'nsupdate', needs: { nsupdate: 'bind9-dnsutils' } };
const KNSUPDATE: Program = { name: 'knsupdate', needs: { knsupdate: 'knot-dnsutils' } };
const CERTBOT: Program = {
  name: 'certbot-dns-rfc2136',
  needs: {
    certbot: 'certbot',
    '/usr/lib/python3/dist-packages/certbot_dns_rfc2136': 'python3-certbot-dns-rfc2136',
    openssl: 'openssl',
  },
};
const LEGO: Program = { name: 'lego', needs: { lego: 'lego', openssl: 'openssl' } };
const ANSIBLE: Program = { name: "Ansible's nsupdate module", needs: { ansible: 'ansible' } };
const PATIENCE = 180_000;

let service: UpdateService;
let authority: AcmeDirectory;
let domain: TestDomain;
let directory: string;
beforeAll(async () => {
  service = await startUpdateService({ SERVICE_MDNS__ALLOW_QUERY: '127.0.0.1' });
  authority = await AcmeDirectory.start(textsAt);
});
afterAll(async () => {
  await authority.stop();
  await service.stop();
});
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-clients-'));
  domain = await newDomain(service);
});
afterEach(() => rm(directory, { recursive: true }));

/** The records that were added: `www 300 A 192.0.2.1`. */
async function contents(): Promise<string[]> {
  const lines = linesOfExport(await domain.export()).map((line) =>
    line.replaceAll(`.${domain.name}`, '').replaceAll(domain.name, '@'),
  );
  return lines.filter((line) => !/^@ \d+ (SOA|NS) /.test(line)).sort();
}

function run(program: string, args: readonly string[], { input = '', env = {} } = {}): Promise<Run> {
  return new Promise((end) => {
    const settings = { PATH: process.env.PATH, HOME: directory, LANG: 'C.UTF-8', ...env };
    const child = execFile(program, args, { env: settings, timeout: PATIENCE }, (error, stdout, stderr) =>
      end({ failed: error !== null, stdout, output: [error?.message, stdout, stderr].filter(Boolean).join('\n') }),
    );
    child.stdin?.end(input);
  });
}

/** As `-y` takes it. */
const keyText = ({ algorithm, name, secret }: KeyBody): string => `${algorithm}:${name}:${secret}`;

/** The text without responses that only the service gives. */
async function withFile(name: string, text: string): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, text);
  await chmod(path, 0o600);
  return path;
}

describe.each([
  ['nsupdate', NSUPDATE],
  ['knsupdate', KNSUPDATE],
] as const)('20.4 %s', (program, needs) => {
  const it = itWith(needs);

  const update = async (
    lines: readonly string[],
    fields: KeyFields = {},
    zone = `zone ${domain.name}`,
  ): Promise<Run> => {
    const input = [`server 127.0.0.1 ${service.dns.port}`, zone, ...lines, 'send', ''].join('\n');
    return run(program, ['-y', keyText(await service.newKey(fields))], { input });
  };

  it(
    `20.3, 20.4 ${program} adds, asks and deletes`,
    async () => {
      const www = domain.at('www');
      const added = await update([
        `prereq nxdomain ${www}`,
        `update add ${www} 300 A 192.0.2.1`,
        `update add ${www} 300 A 192.0.2.2`,
        `update add ${www} 300 TXT "a text; with a semicolon"`,
        `update add ${domain.at('_sip._tcp')} 60 SRV 1 2 5060 ${www}`,
        `update add ${domain.at('a-*.x')} 0 TXT "registry"`,
      ]);
      expect(added).toMatchObject({ failed: false });
      expect(await contents()).toEqual([
        '_sip._tcp 60 SRV 1 2 5060 www',
        'a-*.x 0 TXT "registry"',
        'www 300 A 192.0.2.1',
        'www 300 A 192.0.2.2',
        'www 300 TXT "a text; with a semicolon"',
      ]);
      const second = await update([`prereq nxdomain ${www}`, `update delete ${www}`]);
      expect(second.output).toContain('YXDOMAIN');
      expect(await update([`prereq yxrrset ${www} A`, `update delete ${www} A 192.0.2.1`])).toMatchObject({
        failed: false,
      });
      expect(await update([`update delete ${www} TXT`, `update delete ${domain.at('a-*.x')}`])).toMatchObject({
        failed: false,
      });
      expect(await contents()).toEqual(['_sip._tcp 60 SRV 1 2 5060 www', 'www 300 A 192.0.2.2']);
    },
    PATIENCE,
  );

  it(
    `20.1 ${program} sends messages above the size of a small datagram`,
    async () => {
      const lines = Array.from({ length: 1000 }, (_, at) => `update add ${domain.at(`h${at}`)} 60 A 192.0.2.1`);
      expect(await update(lines)).toMatchObject({ failed: false });
      expect(await contents()).toHaveLength(1000);
    },
    PATIENCE,
  );

  it(
    `20.2, 20.8 ${program} reports that the key is not authorized`,
    async () => {
      const refused = await update([`update add ${domain.at('www')} 300 A 192.0.2.1`], { types: ['TXT'] });
      expect(refused.output).toContain('REFUSED');
      const elsewhere = await update(['update add x.example.net. 300 A 192.0.2.1'], {}, 'zone example.net.');
      expect(elsewhere.output).toContain('NOTAUTH');
    },
    PATIENCE,
  );
});

describe('nsupdate without a zone', () => {
  itWith(NSUPDATE)(
    '20.7 asks for the SOA, and finds it',
    async () => {
      const lines = [
        `server 127.0.0.1 ${service.dns.port}`,
        `update add ${domain.at('a.b.c')} 60 A 192.0.2.1`,
        'send',
        '',
      ];
      const added = await run('nsupdate', ['-y', keyText(await service.newKey())], { input: lines.join('\n') });
      expect(added).toMatchObject({ failed: false });
      expect(await contents()).toEqual(['a.b.c 60 A 192.0.2.1']);
    },
    PATIENCE,
  );
});

/** As a name server has them that transfers the zone. */
async function textsAt(name: string): Promise<readonly string[]> {
  const key = await service.newUpdater();
  const { records } = await transfer(service.dns, { name: domain.name, type: MetaType.AXFR }, key.key);
  const wanted = DomainName.parse(name).key;
  return records
    .filter(({ owner, type }) => type === TXT.code && owner.key === wanted)
    .map(({ rdata }) => Buffer.from(rdata.subarray(1)).toString('latin1'));
}

/** The domain without its last dot, and everything in it. */
const names = (): string[] => [domain.name.slice(0, -1), `*.${domain.name.slice(0, -1)}`];

/** A key limited to certificate challenges. */
async function acmeKey(): Promise<KeyBody> {
  const { domains = [], names: patterns = [], types = [], actions = [] } = acmeRestrictions([domain.name]);
  return service.newKey({ domains, names: patterns, types, actions });
}

async function expectCertificate(path: string): Promise<void> {
  const certificate = new X509Certificate(await readFile(join(directory, path)));
  expect(await authority.hasSigned(certificate)).toBe(true);
  expect(certificate.subjectAltName).toContain(`DNS:*.${domain.name.slice(0, -1)}`);
  expect(await domain.records()).toEqual([]);
}

describe('a certificate by RFC 2136', () => {
  itWith(CERTBOT)(
    '20.7, 20.8 certbot gets one for a name and its wildcard, and leaves nothing in the zone',
    async () => {
      const { name, secret } = await acmeKey();
      const credentials = await withFile(
        'rfc2136.ini',
        [
          'dns_rfc2136_server = 127.0.0.1',
          `dns_rfc2136_port = ${service.dns.port}`,
          `dns_rfc2136_name = ${name}`,
          `dns_rfc2136_secret = ${secret}`,
          'dns_rfc2136_algorithm = HMAC-SHA256',
          '',
        ].join('\n'),
      );
      const folders = ['config', 'work', 'logs'].flatMap((folder) => [`--${folder}-dir`, join(directory, folder)]);
      const account = ['--agree-tos', '--register-unsafely-without-email', '--server', authority.url];
      const how = ['--dns-rfc2136', '--dns-rfc2136-credentials', credentials, '--dns-rfc2136-propagation-seconds', '0'];
      const domains = names().flatMap((one) => ['-d', one]);
      const { failed, output } = await run('certbot', [
        'certonly',
        '--non-interactive',
        ...how,
        ...account,
        ...folders,
        ...domains,
      ]);
      expect([failed, output]).toEqual([false, expect.stringContaining('Successfully received certificate')]);
      await expectCertificate(`config/live/${names()[0] ?? ''}/cert.pem`);
    },
    PATIENCE,
  );

  itWith(LEGO)(
    '20.7, 20.8 lego gets one for a name and its wildcard, and leaves nothing in the zone',
    async () => {
      const { name, secret } = await acmeKey();
      const account = ['--accept-tos', '--email', 'hostmaster@example.org', '--server', authority.url];
      // It would ask the world's name servers whether the record is there.
      const how = ['--dns', 'rfc2136', '--dns.disable-cp', '--path', directory];
      const domains = names().flatMap((one) => ['--domains', one]);
      const env = {
        RFC2136_NAMESERVER: `127.0.0.1:${service.dns.port}`,
        RFC2136_TSIG_KEY: name,
        RFC2136_TSIG_ALGORITHM: 'hmac-sha256.',
        RFC2136_TSIG_SECRET: secret,
        RFC2136_SEQUENCE_INTERVAL: '1',
        RFC2136_POLLING_INTERVAL: '1',
        LEGO_DISABLE_CNAME_SUPPORT: 'true',
      };
      const { failed, output } = await run('lego', [...account, ...how, ...domains, 'run'], { env });
      expect([failed, output]).toEqual([false, expect.any(String)]);
      await expectCertificate(`certificates/${names()[0] ?? ''}.crt`);
    },
    PATIENCE,
  );
});

describe("Ansible's nsupdate module", () => {
  itWith(ANSIBLE)(
    '20.3, 20.4 makes records present and absent, and changes nothing twice',
    async () => {
      const { name, secret } = await service.newKey();
      const module = async (more: string): Promise<Run> => {
        const common = `server=127.0.0.1 port=${service.dns.port} protocol=tcp key_name=${name} key_secret=${secret} key_algorithm=hmac-sha256`;
        const args = `${common} zone=${domain.name} ${more}`;
        return run('ansible', ['localhost', '-c', 'local', '-m', 'community.general.nsupdate', '-a', args]);
      };
      const present = 'record=www type=A ttl=300 value=192.0.2.1,192.0.2.2';
      expect(await module(present)).toMatchObject({ output: expect.stringContaining('"changed": true') });
      expect(await contents()).toEqual(['www 300 A 192.0.2.1', 'www 300 A 192.0.2.2']);
      expect(await module(present)).toMatchObject({ output: expect.stringContaining('"changed": false') });
      expect(await module('record=www type=A ttl=600 value=192.0.2.3')).toMatchObject({ failed: false });
      expect(await contents()).toEqual(['www 600 A 192.0.2.3']);
      expect(await module('record=www type=A state=absent')).toMatchObject({
        output: expect.stringContaining('"changed": true'),
      });
      expect(await contents()).toEqual([]);
    },
    PATIENCE,
  );
});
