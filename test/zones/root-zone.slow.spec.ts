import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainName } from '../../src/dns/name.js';
import { MetaType, RecordClass, Opcode } from '../../src/dns/message/codes.js';
import { requestHeader } from '../../src/dns/message/header.js';
import { writeMessage } from '../../src/dns/message/message-writer.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { KZONECHECK, NAMED_CHECKZONE, NSD_CHECKZONE } from '../support/dns-tools.js';
import { domainOf, newDomain, type TestDomain } from '../support/domain.js';
import type { DomainBody } from '../support/bodies.js';
import { Daemon } from '../support/name-servers/daemon.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { runCommand } from '../support/process.js';
import { itWith } from '../support/run-program.js';
import { type Client, environmentOf, removeTestData, startTestService, type TestService } from '../support/service.js';
import { FileSigner, SIGNER } from '../support/signed-files.js';
import { transfer } from '../support/transfers.js';
import { until } from '../support/until.js';
import { v2RefusalOf, type ZoneBody } from '../support/v2.js';

const SERIAL = 2_026_112_801;
const TLDS = 50;

/** A zone like the root, with delegations, glue and DS; names are relative and absolute in turn. */
function rootFile(serial: number): string {
  const lines = [`@ 86400 IN SOA a.root-servers.test. nstld.registry.test. ${serial} 1800 900 604800 86400`];
  for (const letter of 'abc') lines.push(`@ 518400 IN NS ${letter}.root-servers.test.`);
  for (const [at, letter] of [...'abc'].entries())
    lines.push(`${letter}.root-servers.test 518400 IN A 192.0.2.${at + 1}`);
  for (let at = 0; at < TLDS; at += 1) {
    const tld = at % 2 === 0 ? `tld${at}` : `tld${at}.`;
    lines.push(`${tld} 172800 IN NS ns1.nic.tld${at}.`, `${tld} 172800 IN NS ns2.tld${(at + 1) % TLDS}.`);
    lines.push(
      `ns1.nic.tld${at}. 172800 IN A 198.51.100.${at + 1}`,
      `ns2.tld${at}. 172800 IN AAAA 2001:db8::${at + 1}`,
    );
    if (at % 3 === 0) lines.push(`${tld} 86400 IN DS ${at} 13 2 ${'0123456789abcdef'.repeat(4)}`);
  }
  return `$ORIGIN .\n$TTL 86400\n${lines.join('\n')}\n`;
}

let service: TestService;
let admin: Client;
let tenant: Client;
let port: number;
let directory: string;

const SETTINGS = {
  SERVICE_API__ENABLE_API_ADMIN: 'True',
  SERVICE_MDNS__ENABLED: 'True',
  SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
  SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8',
  SERVICE_MDNS__CATALOG_ZONE: 'catalog.invalid.',
  SERVICE_POWERDNS__ENABLED: 'True',
  SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.net.',
};
let settings: Record<string, string>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-root-'));
  port = await freePort();
  settings = { ...SETTINGS, SERVICE_MDNS__LISTEN: `127.0.0.1:${port}` };
  service = await startTestService(settings, directory);
  admin = service.as('registry', 'admin');
  tenant = service.as('tenant-b');
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
  await removeTestData(directory);
});

async function withRoot(work: (root: TestDomain) => Promise<void>): Promise<void> {
  const nameServers = [...'abc'].map((letter) => `${letter}.root-servers.test.`);
  const body = { name: '.', email: 'nstld@registry.test', ttl: 86_400, name_servers: nameServers };
  const root = domainOf(admin, await bodyOf<DomainBody>(admin.call('post', '/v1/domains', body)));
  try {
    await work(root);
  } finally {
    await answerOf(admin.call('delete', `/v1/domains/${root.id}`), 200);
  }
}

/** An AXFR of a zone of any name. */
function axfrOf(name: string): Buffer {
  const question = { name: DomainName.parse(name), type: MetaType.AXFR, class: RecordClass.IN };
  return writeMessage({ header: requestHeader(1, Opcode.QUERY), questions: [question] });
}

function exact({ owner, type, ttl, rdata }: ResourceRecord): string {
  return `${owner.toString()} ${type} ${ttl} ${Buffer.from(rdata).toString('hex')}`;
}

const served = async (at: number, name = '.') => (await transfer(at, axfrOf(name))).records.slice(0, -1);

describe('the root zone', () => {
  it.each(['.', 'arpa.', 'example.'])('7.3 %s is for admins alone, by every interface', async (name) => {
    const domain = { name, email: 'hostmaster@example.org' };
    const { errors } = await refusalOf(tenant.call('post', '/v1/domains', domain), 400, 'invalid_object');
    expect(errors?.[0]).toMatchObject({ path: 'name', message: expect.stringContaining('ask an admin') });
    const { message } = await v2RefusalOf(tenant.call('post', '/v2/zones', domain), 400, 'invalid_zone_name');
    expect(message).toContain('only an admin may create');
    const native = tenant.call('post', '/api/v1/servers/localhost/zones', { name, kind: 'Native' });
    expect((await answerOf(native, 422)).text).toContain('ask an admin');
    const zone = await bodyOf<ZoneBody>(admin.call('post', '/v2/zones', domain), 202);
    expect(zone).toMatchObject({ name });
    await answerOf(admin.call('delete', `/v2/zones/${zone.id}`), 202);
    await answerOf(
      admin.call('post', '/api/v1/servers/localhost/zones', { name, kind: 'Native', nameservers: [] }),
      201,
    );
    await answerOf(admin.call('delete', `/api/v1/servers/localhost/zones/${name === '.' ? '=2E' : name}`), 204);
  });

  it('7.3 takes no names from other zones, in any order of creation', async () => {
    const before = await newDomain(tenant);
    await withRoot(async (root) => {
      const after = await newDomain(tenant);
      await bodyOf(after.create({ name: after.at('www'), type: 'A', data: '192.0.2.1' }));
      // An address of a name server of theirs is glue, anything else is theirs.
      await bodyOf(root.create({ name: before.at('ns'), type: 'A', data: '192.0.2.1' }));
      await refusalOf(
        root.create({ name: before.at('ns'), type: 'TXT', data: 'x' }),
        400,
        'invalid_recordset_location',
      );
    });
  });

  it('4.3, 5.7 has records at its apex and at names of one label, found by each interface', async () => {
    await withRoot(async (root) => {
      const { id } = await bodyOf<{ id: string }>(root.create({ name: '.', type: 'TXT', data: 'apex' }));
      for (const [at, letter] of [...'abc'].entries())
        await bodyOf(root.create({ name: `${letter}.root-servers.test.`, type: 'A', data: `192.0.2.${at + 1}` }));
      await bodyOf(root.create({ name: 'tld.', type: 'NS', data: 'ns.nic.tld.' }));
      await bodyOf(root.create({ name: 'ns.nic.tld.', type: 'A', data: '192.0.2.1' }));
      expect(await bodyOf(root.get(id))).toMatchObject({ name: '.', data: 'apex' });
      const found = await bodyOf<{ records: unknown[] }>(root.list('?name=.'));
      expect(found.records).toEqual([expect.objectContaining({ name: '.' })]);
      expect(await bodyOf(admin.call('get', '/v1/domains?name=.'))).toMatchObject({ domains: [{ id: root.id }] });
      const { recordsets } = await bodyOf<{ recordsets: { name: string; type: string }[] }>(
        admin.call('get', `/v2/zones/${root.id}/recordsets?name=.`),
      );
      expect(recordsets.map(({ type }) => type).sort()).toEqual(['NS', 'SOA', 'TXT']);
      const path = '/api/v1/servers/localhost/zones/=2E';
      const rrset = {
        name: '.',
        type: 'TXT',
        ttl: 60,
        changetype: 'REPLACE',
        records: [{ content: '"b"', disabled: false }],
      };
      await answerOf(admin.call('patch', path, { rrsets: [rrset] }), 204);
      const { rrsets } = await bodyOf<{ rrsets: { name: string; type: string }[] }>(admin.call('get', path));
      const shown = rrsets.map(({ name, type }) => `${name} ${type}`);
      expect(shown).toEqual(expect.arrayContaining(['. NS', '. SOA', '. TXT', 'ns.nic.tld. A', 'tld. NS']));
      expect((await root.check()).errors).toEqual([]);
      const { history } = await bodyOf<{ history: { after: { name?: string } | null }[] }>(
        admin.call('get', `/v1/domains/${root.id}/history?name=.`),
      );
      expect(history.length).toBeGreaterThan(0);
      const records = await served(port);
      expect(records.map(({ owner }) => owner.toString())).toContain('ns.nic.tld.');
      const catalog = await served(port, 'catalog.invalid.');
      const members = catalog.filter(({ type }) => type === 12).map(({ rdata }) => DomainName.read(rdata).toString());
      expect(members).toContain('.');
    });
    const journal = await bodyOf<{ history: unknown[] }>(admin.call('get', '/v1/history?domain=.'));
    expect(journal.history.length).toBeGreaterThan(0);
  });
});

describe('a file like the root', () => {
  for (const program of [NAMED_CHECKZONE, KZONECHECK, NSD_CHECKZONE])
    itWith(program)('15.3, 15.6 is imported and exported as others read it', async () => {
      await withRoot(async (root) => {
        const report = await root.import(rootFile(SERIAL));
        expect(report).toMatchObject({ repairs: [], unchanged: 0, removed: 0 });
        const text = await root.export();
        expect(await root.import(text, '?mode=replace')).toMatchObject({ created: 0, updated: 0, removed: 0 });
        const { records, output } = await program.read(DomainName.ROOT, text);
        expect([records?.length, output]).toEqual([(await served(port)).length, output]);
      });
    });

  it('13.5 makes the zone by a task of version 2 that an admin asks for', async () => {
    const posted = admin.call('post', '/v2/zones/tasks/imports').set('Content-Type', 'text/dns').send(rootFile(SERIAL));
    const { id } = await bodyOf<{ id: string }>(posted, 202);
    const shown = () => bodyOf<{ status: string; zone_id: string }>(admin.call('get', `/v2/zones/tasks/imports/${id}`));
    await until(async () => (await shown()).status !== 'PENDING');
    expect(await shown()).toMatchObject({ status: 'COMPLETE' });
    const { zone_id: zoneId } = await shown();
    expect(await bodyOf(admin.call('get', `/v2/zones/${zoneId}`))).toMatchObject({ name: '.' });
    await answerOf(admin.call('delete', `/v2/zones/${zoneId}`), 202);
  });

  it('17 is imported, shown and exported by the command line', async () => {
    const file = join(directory, 'root');
    await writeFile(file, rootFile(SERIAL));
    const environment = environmentOf(directory, settings);
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await runCommand(directory, environment, args);
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      return stdout;
    };
    const made = ['--domain', '.', '--create', '--email', 'nstld@registry.test', '--tenant', 'registry'];
    expect(await run('zone', 'import', file, ...made)).toMatch(/stored in \.: \d+ created/);
    expect(await run('zone', 'export', '.')).toMatch(/^tld0\.\t172800\tIN\tNS\tns1\.nic\.tld0\.$/m);
    expect(await run('zone', 'history', '.')).toContain('tld0.');
    const { domains } = await bodyOf<{ domains: DomainBody[] }>(admin.call('get', '/v1/domains?name=.'));
    const root = domainOf(admin, domains[0]!);
    await answerOf(admin.call('delete', `/v1/domains/${root.id}`), 200);
  });
});

describe('next to other name servers', () => {
  const NAMED = { named: 'bind9' };

  itWith({ name: 'named', needs: { ...NAMED, ...SIGNER.needs } })(
    '13.11 transfers a signed root from named, and to another server, octet for octet',
    async () => {
      const signer = await FileSigner.start('.', 'nsec');
      const primary = await startRoot(`type primary; file "zone";`, await signer.sign(rootFile(SERIAL)));
      const body = { name: '.', type: 'SECONDARY', masters: [`127.0.0.1:${primary.port}`] };
      const zone = await bodyOf<ZoneBody>(admin.call('post', '/v2/zones', body), 202);
      await until(async () => (await bodyOf<ZoneBody>(admin.call('get', `/v2/zones/${zone.id}`))).serial === SERIAL);
      const secondary = await startRoot(`type secondary; file "copy"; primaries { 127.0.0.1 port ${port}; };`, '');
      try {
        const [there, here, beyond] = [await served(primary.port), await served(port), await served(secondary.port)];
        expect(here.map(exact).sort()).toEqual(there.map(exact).sort());
        expect(beyond.map(exact).sort()).toEqual(there.map(exact).sort());
        expect(here.filter(({ type }) => type === 46).length).toBeGreaterThan(TLDS / 3);
        expect(SOA.values(here[0]!.rdata).serial).toBe(SERIAL);
      } finally {
        await secondary.server.stop();
        await primary.server.stop();
        await signer.end();
        await answerOf(admin.call('delete', `/v2/zones/${zone.id}`), 202);
      }
    },
    120_000,
  );
});

async function startRoot(zone: string, file: string): Promise<{ readonly port: number; readonly server: Daemon }> {
  const [place, listening] = [await mkdtemp(join(directory, 'named-')), await freePort()];
  await writeFile(join(place, 'zone'), file);
  await writeFile(
    join(place, 'conf'),
    `options { directory "${place}"; listen-on port ${listening} { 127.0.0.1; }; listen-on-v6 { none; };
  pid-file none; session-keyfile none; lock-file none; recursion no; dnssec-validation no; notify no;
  allow-transfer { any; }; check-integrity no; };\ncontrols {};\nzone "." { ${zone} };\n`,
  );
  const isReady = async (): Promise<boolean> =>
    served(listening).then(
      () => true,
      () => false,
    );
  const server = new Daemon(['/usr/sbin/named', '-g', '-c', join(place, 'conf')], isReady);
  await server.start();
  return { port: listening, server };
}
