import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Rcode } from '../../src/dns/message/codes.js';
import { dnskeyRdata, dsRdata } from '../../src/dns/dnssec/dnskey.js';
import { DomainName } from '../../src/dns/name.js';
import { DS } from '../../src/dns/rdata/dnssec.js';
import { LIVE_KINDS } from '../../src/live-checks/live-finding.js';
import { expectRefusal } from '../support/answers.js';
import type { TestDomain } from '../support/domain.js';
import {
  authoritative,
  kindsOf,
  type LiveCheck,
  LiveWorld,
  NAME_SERVERS,
  PARENT,
  referral,
} from '../support/live-world.js';
import type { Says } from '../support/loopback-dns.js';
import { itAtPort53, MAY_LISTEN_AT_53 } from '../support/parent-servers.js';
import { startTestService } from '../support/service.js';

const PUBLIC_KEY = Buffer.alloc(64, 7);
const KEY = `257 3 13 ${PUBLIC_KEY.toString('base64')}`;
const OTHER_DS = `1 13 2 ${'ab'.repeat(32)}`;

interface Row {
  readonly name?: string;
  readonly type: string;
  readonly data: string;
  readonly priority?: number;
}

let world: LiveWorld;
beforeAll(async () => {
  if (MAY_LISTEN_AT_53) world = await LiveWorld.start({ SERVICE_LIVE_CHECKS__ISSUERS: 'ca.example, other.example' });
});
afterAll(() => (MAY_LISTEN_AT_53 ? world.stop() : undefined));
afterEach(() => (MAY_LISTEN_AT_53 ? world.stopServers() : undefined));

interface Other {
  readonly parent?: (domain: TestDomain) => Says;
  readonly one?: (domain: TestDomain, serial: number) => Says;
  readonly two?: (domain: TestDomain, serial: number) => Says;
}

/** The check of a domain with these records, while servers answer as the test says. */
async function checked(
  records: readonly Row[] | ((domain: TestDomain) => readonly Row[]) = [],
  other: Other = {},
): Promise<LiveCheck & { domain: TestDomain }> {
  const domain = await world.domain();
  const wanted = typeof records === 'function' ? records(domain) : records;
  for (const { name, ...record } of wanted)
    await domain.newRecord({ name: name === undefined ? domain.name : domain.at(name), ...record });
  const { serial } = await domain.now();
  const { parent, one, two } = other;
  await world.serveInOrder(
    { name: domain.name, serial },
    {
      ...(parent && { parent: parent(domain) }),
      ...(one && { one: one(domain, serial) }),
      ...(two && { two: two(domain, serial) }),
    },
  );
  return { ...(await world.check(domain)), domain };
}

function message({ findings }: LiveCheck, kind: string): string {
  return findings.find((finding) => finding.kind === kind)?.message ?? `no finding of kind ${kind}`;
}

const NOTHING: Says = () => null;

describe('27.1 the live check', () => {
  itAtPort53()('27.1 finds nothing in a domain in order', async () => {
    const check = await checked();
    expect(check).toMatchObject({ complete: true, findings: [] });
    expect(check.queries).toBeGreaterThan(10);
  });

  itAtPort53()('27.1 shows severity, kind and Zonemaster test, errors first', async () => {
    const { findings, domain } = await checked([], {
      parent: () => referral([NAME_SERVERS[0], 'ns9.hoster.example.']),
    });
    expect(findings).toEqual([
      {
        ...{ severity: 'error', name: domain.name, type: 'NS', kind: 'ns_only_at_parent', test: 'DELEGATION07' },
        message: expect.stringContaining('delegates to ns9.hoster.example.,'),
      },
      expect.objectContaining({ severity: 'error', kind: 'server_without_address', test: 'NAMESERVER06' }),
      expect.objectContaining({ severity: 'warning', kind: 'ns_only_in_zone', test: 'DELEGATION07' }),
    ]);
  });

  itAtPort53()('27.1 is for those who can read the domain', async () => {
    const domain = await world.domain();
    const path = `/v1/domains/${domain.id}/live-check`;
    expectRefusal(await world.service.as('other').call('get', path), { status: 404, type: 'domain_not_found' });
  });

  it('27.1 needs a resolver', async () => {
    const service = await startTestService();
    try {
      const { body } = await service.call('post', '/v1/domains', { name: 'x.example.', email: 'a@example.org' });
      const answer = await service.call('get', `/v1/domains/${(body as { id: string }).id}/live-check`);
      expectRefusal(answer, { status: 400, type: 'bad_request' });
      expect((answer.body as { message: string }).message).toContain('[service:live_checks]');
    } finally {
      await service.stop();
    }
  });
});

describe('27.3 records that are checked', () => {
  itAtPort53()('27.3 includes delegations, and leaves out names below them and targets within the domain', async () => {
    const domain = await world.domain();
    await domain.import('sub NS ns.gone.example.\nx.sub MX 10 hidden.example.\n@ MX 10 nowhere\n* CNAME www\n');
    await world.serveInOrder(await domain.now());
    const { findings } = await world.check(domain);
    expect(findings).toMatchObject([{ kind: 'target_missing', type: 'NS', name: domain.at('sub') }]);
  });

  itAtPort53()('27.3 reads no more than 500 targets, and says so', async () => {
    const domain = await world.domain();
    await domain.import(`${Array.from({ length: 501 }, (_, at) => `t${at} CNAME t${at}.example.`).join('\n')}\n`);
    await world.serveInOrder(await domain.now());
    const check = await world.check(domain);
    expect(check).toMatchObject({ complete: false });
    expect(check.findings.at(-1)).toMatchObject({ kind: 'not_checked', severity: 'notice' });
  });
});

describe('27.10 kinds', () => {
  it('27.10 lists each kind with its severity and test', async () => {
    const text = await readFile(join(import.meta.dirname, '../../docs/spec/27-live-checks.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `(\w+)` *\| (error|warning|notice) *\| (\w*) *\|/gm)];
    const listed = Object.fromEntries(
      rows.map(([, kind, severity, test]) => [kind, [severity, test === '' ? null : test]]),
    );
    expect(listed).toEqual(LIVE_KINDS);
  });
});

describe('27.4 delegations', () => {
  itAtPort53()('27.4 reports a parent without NS records', async () => {
    const soa: Says = (name, type) => (type === 'NS' ? { rcode: Rcode.NXDOMAIN } : { answers: [] });
    const check = await checked([], { parent: () => soa });
    expect(kindsOf(check)).toEqual(['not_delegated']);
    expect(message(check, 'not_delegated')).toMatch(new RegExp(`^${PARENT} has no NS records for the domain`));
  });

  itAtPort53()('27.4 compares glue with the addresses of the domain', async () => {
    const [first = '', second = ''] = world.free;
    const own = (domain: TestDomain) => [domain.at('ns'), domain.at('ns-b')];
    const records = (domain: TestDomain): readonly Row[] => [
      ...own(domain).map((data) => ({ type: 'NS', data })),
      { name: 'ns', type: 'A', data: first },
      { name: 'ns-b', type: 'A', data: second },
    ];
    const check = await checked(records, {
      parent: (domain) => referral([...NAME_SERVERS, ...own(domain)], [`${domain.at('ns')} A ${second}`]),
    });
    const kinds = kindsOf(check);
    expect(kinds).toContain('glue_differs');
    expect(kinds).toContain('live_glue_missing');
    expect(message(check, 'glue_differs')).toContain(`has ${second} as glue`);
    expect(message(check, 'live_glue_missing')).toContain('(glue)');
  });

  itAtPort53()('27.4 says why a delegation is unknown', async () => {
    const silent = await checked([], { parent: () => NOTHING });
    expect(kindsOf(silent)).toEqual(['parent_unknown']);
    expect(message(silent, 'parent_unknown')).toContain(`ns.${PARENT} does not answer`);
    await world.stopServers();
    const refused = await checked([], { parent: () => () => ({ rcode: Rcode.REFUSED }) });
    expect(message(refused, 'parent_unknown')).toContain('answers REFUSED');
  });
});

describe('27.5 name servers', () => {
  itAtPort53()('27.5 reports an older serial, and a newer one', async () => {
    const older = await checked([], { one: ({ name }, serial) => authoritative(name, serial - 5) });
    expect(kindsOf(older)).toEqual(['old_serial']);
    expect(message(older, 'old_serial')).toMatch(
      /^ns1\.hoster\.example\. \(127\.\S+\) has the serial \d+, older than \d+\./,
    );
    await world.stopServers();
    const newer = await checked([], { one: ({ name }, serial) => authoritative(name, serial + 5) });
    expect(newer.findings).toMatchObject([{ kind: 'newer_serial', severity: 'notice', test: 'CONSISTENCY01' }]);
  });

  itAtPort53()('27.5 tells lame, refusing and silent servers apart', async () => {
    const lame: Says = (name) => ({ isAuthoritative: false, authorities: [`${name} NS elsewhere.example.`] });
    const check = await checked([], { one: () => lame, two: () => () => ({ rcode: Rcode.REFUSED }) });
    expect(kindsOf(check).sort()).toEqual(['not_authoritative', 'server_refuses']);
    await world.stopServers();
    const silent = await checked([], { two: () => NOTHING });
    expect(kindsOf(silent)).toEqual(['server_silent']);
  });

  itAtPort53()('27.5 asks over UDP and over TCP', async () => {
    const only =
      (transport: 'UDP' | 'TCP') =>
      ({ name }: TestDomain, serial: number): Says =>
      (...asked) =>
        asked[2] === transport ? authoritative(name, serial)(...asked) : null;
    const check = await checked([], { one: only('UDP'), two: only('TCP') });
    expect(kindsOf(check).sort()).toEqual(['no_tcp', 'no_udp']);
    await world.stopServers();
    const domain = await world.domain();
    const { serial } = domain;
    await world.serve(world.addresses[0], referral(NAME_SERVERS));
    await world.serve(world.addresses[1], authoritative(domain.name, serial), ['UDP']);
    await world.serve(world.addresses[2], authoritative(domain.name, serial));
    const refusing = await world.check(domain);
    expect(refusing.findings).toMatchObject([{ kind: 'no_tcp', severity: 'warning', test: 'CONNECTIVITY02' }]);
    expect(message(refusing, 'no_tcp')).toContain('(ECONNREFUSED)');
  });

  itAtPort53()('27.5 never asks addresses that are not public', async () => {
    world.host('inside.hoster.example.', '10.255.255.1');
    const check = await checked([], { parent: () => referral([...NAME_SERVERS, 'inside.hoster.example.']) });
    expect(check.findings).toMatchObject([
      { kind: 'ns_only_at_parent' },
      { kind: 'server_not_public', test: 'ADDRESS01' },
    ]);
    expect(JSON.stringify(check)).not.toContain('10.255.255.1');
  });
});

describe('27.6 DS and DNSKEY', () => {
  const dsOf = (domain: TestDomain) =>
    DS.toText(
      dsRdata(DomainName.parse(domain.name), dnskeyRdata({ flags: 257, algorithm: 13, publicField: PUBLIC_KEY }), 2),
    );
  const signed = ({ name }: TestDomain, serial: number): Says => authoritative(name, serial, [KEY]);
  const withDs = (ds: (domain: TestDomain) => readonly string[]) => (domain: TestDomain) =>
    referral(NAME_SERVERS, [], ds(domain));

  itAtPort53()('27.6 accepts the DS of a key', async () => {
    const check = await checked([], { parent: withDs((domain) => [dsOf(domain)]), one: signed, two: signed });
    expect(check.findings).toEqual([]);
  });

  for (const [what, ds, isSigned, kind, severity] of [
    ['a signed domain without DS', () => [], true, 'no_ds', 'notice'],
    ['a DS of an unsigned domain', () => [OTHER_DS], false, 'ds_without_dnskey', 'error'],
    ['a DS of another key', () => [OTHER_DS], true, 'ds_mismatch', 'error'],
    ['a spare DS', (domain: TestDomain) => [dsOf(domain), OTHER_DS], true, 'ds_unused', 'notice'],
  ] as const)
    itAtPort53()(`27.6 reports ${what}`, async () => {
      const servers = isSigned ? { one: signed, two: signed } : {};
      const check = await checked([], { parent: withDs(ds), ...servers });
      expect(check.findings).toMatchObject([{ kind, severity }]);
      await world.stopServers();
    });
});

describe('27.7 targets outside the domain', () => {
  itAtPort53()('27.7 tells missing, empty and unknown targets apart', async () => {
    world.known.set('empty.example.', {});
    world.known.set('broken.example.', { rcode: Rcode.SERVFAIL });
    world.host('mail.example.', '192.0.2.25');
    const check = await checked([
      { type: 'MX', priority: 10, data: 'gone.example.' },
      { type: 'MX', priority: 20, data: 'empty.example.' },
      { type: 'MX', priority: 30, data: 'mail.example.' },
      { name: '_sip._tcp', type: 'SRV', priority: 1, data: '1 5060 broken.example.' },
    ]);
    expect(check.findings).toMatchObject([
      { kind: 'target_missing', severity: 'error', type: 'MX', message: expect.stringContaining('gone.example.') },
      { kind: 'target_without_address', severity: 'warning', message: expect.stringContaining('empty.example.') },
      { kind: 'target_unknown', severity: 'notice', type: 'SRV', message: expect.stringContaining('SERVFAIL') },
    ]);
  });

  itAtPort53()('27.7 warns of dangling names, and of a takeover where anyone may register them', async () => {
    const app = 'app.azurewebsites.net.';
    world.known.set('alias.example. A', { rcode: Rcode.NXDOMAIN, answers: [`alias.example. CNAME ${app}`] });
    world.known.set('exists.example.', {});
    const check = await checked([
      { name: 'a', type: 'CNAME', data: app },
      { name: 'b', type: 'CNAME', data: 'gone.example.' },
      { name: 'c', type: 'CNAME', data: 'alias.example.' },
      { name: 'd', type: 'CNAME', data: 'exists.example.' },
    ]);
    const found = check.findings.map(({ kind, name }) => `${kind} ${name.split('.')[0]}`);
    expect(found.sort()).toEqual(['dangling_target b', 'takeover_risk a', 'takeover_risk c']);
    expect(message(check, 'takeover_risk')).toContain(app);
  });
});

describe('27.8 SPF policies', () => {
  const txt = (data: string) => ({ type: 'TXT', data });

  itAtPort53()('27.8 counts the lookups of included policies', async () => {
    for (let at = 1; at <= 4; at += 1)
      world.known.set(`s${at}.example. TXT`, {
        answers: [`s${at}.example. TXT "v=spf1 a:x.example mx exists:%{i}.example -all"`],
      });
    const policy = (count: number) =>
      `v=spf1 ${Array.from({ length: count }, (_, at) => `include:s${at + 1}.example`).join(' ')} -all`;
    expect((await checked([txt(policy(2))])).findings).toEqual([]);
    await world.stopServers();
    const check = await checked([txt(policy(4))]);
    expect(check.findings).toMatchObject([
      { kind: 'spf_too_many_lookups', severity: 'error', type: 'TXT', test: 'ZONE11' },
    ]);
  });

  itAtPort53()('27.8 reports included policies and names that do not exist', async () => {
    world.known.set('nospf.example.', { answers: ['nospf.example. TXT "hello"'] });
    const check = await checked([txt('v=spf1 include:nospf.example a:gone.example redirect=other.example -all')]);
    expect(check.findings).toMatchObject([
      { kind: 'spf_missing_policy', message: expect.stringContaining('nospf.example.') },
      { kind: 'spf_target_missing', message: expect.stringContaining('gone.example.') },
    ]);
  });

  itAtPort53()('27.8 ends with policies that include each other', async () => {
    world.known.set('x1.example. TXT', { answers: ['x1.example. TXT "v=spf1 include:x2.example -all"'] });
    world.known.set('x2.example. TXT', { answers: ['x2.example. TXT "v=spf1 include:x1.example -all"'] });
    expect(kindsOf(await checked([txt('v=spf1 include:x1.example -all')]))).toEqual(['spf_too_many_lookups']);
  });
});

describe('27.9 CAA', () => {
  const caa = (data: string, name?: string) => ({ type: 'CAA', data, ...(name !== undefined && { name }) });

  itAtPort53()('27.9 names the authorities that CAA records forbid', async () => {
    const check = await checked([caa('0 issue "ca.example; policy=x"'), caa('0 issue "other.example"', 'www')]);
    expect(check.findings.map(({ kind, name }) => [kind, name.startsWith('www.')])).toEqual([
      ['caa_forbids_issuer', false],
      ['caa_forbids_issuer', true],
    ]);
    expect(message(check, 'caa_forbids_issuer')).toContain('forbid certificates of other.example.');
  });

  itAtPort53()('27.9 climbs to the closest set above the domain', async () => {
    world.known.set(`${PARENT} CAA`, { answers: [`${PARENT} CAA 0 issue ";"`] });
    try {
      const check = await checked();
      expect(check.findings).toMatchObject([{ kind: 'caa_forbids_issuer', type: 'CAA' }]);
      expect(message(check, 'caa_forbids_issuer')).toContain(`CAA records of ${PARENT}`);
    } finally {
      world.known.delete(`${PARENT} CAA`);
    }
  });
});
