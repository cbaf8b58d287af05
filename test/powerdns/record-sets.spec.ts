import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { linesOfExport, newDomain, TestDomain } from '../support/domain.js';
import type { DomainBody } from '../support/bodies.js';
import {
  contentsOf,
  PowerDnsClient,
  type PowerDnsZone,
  records,
  replaced,
  type RrsetBody,
  WITH_POWERDNS,
} from '../support/powerdns.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let client: PowerDnsClient;
let zone: PowerDnsZone;

beforeAll(async () => {
  service = await startTestService({
    ...WITH_POWERDNS,
    DEFAULT__QUOTA_RECORDSET_RECORDS: '5',
    SERVICE_POWERDNS__MAX_RRSETS: '50',
  });
  client = new PowerDnsClient(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await client.newZone();
});
afterEach(() => audit(service.databaseFile));

const at = (label: string): string => `${label}.${zone.name}`;
const setAt = (label: string, type: string): Promise<RrsetBody | undefined> => client.rrset(zone.id, at(label), type);
const refusal = (...rrsets: readonly object[]): Promise<string> =>
  client.refusal('patch', `/zones/${zone.id}`, { rrsets });

/** The same zone in version 1. */
async function domain(): Promise<TestDomain> {
  const path = `/v1/domains?name=${zone.name}`;
  const { domains } = await bodyOf<{ domains: DomainBody[] }>(service.call('get', path));
  return new TestDomain(service, domains[0] as DomainBody);
}

async function served(): Promise<readonly string[]> {
  return linesOfExport(await (await domain()).export());
}

describe('a PATCH', () => {
  it('21.6 is one change, and returns its serial', async () => {
    const answer = await client.patch(
      zone.id,
      replaced(at('a'), 'A', ['192.0.2.1', '192.0.2.2'], { kind: 'Master' }),
      replaced(at('b'), 'AAAA', ['2001:db8::1'], { changetype: 'replace', ttl: '60' }),
      replaced(at('zero'), 'A', ['192.0.2.1'], { ttl: 0 }),
    );
    expect(answer.text).toBe('');
    expect(answer.headers['x-pdns-old-serial']).toBe(String(zone.serial));
    const { serial } = await client.zone(zone.id);
    expect(answer.headers['x-pdns-new-serial']).toBe(String(serial));
    expect(await setAt('b', 'AAAA')).toMatchObject({ ttl: 60 });
    expect(await setAt('zero', 'A')).toMatchObject({ ttl: 0 });
    const { history } = await bodyOf<{ history: { serial: number }[] }>(
      service.call('get', `/v1/domains/${(await domain()).id}/history?limit=10`),
    );
    expect(history.filter((entry) => entry.serial === serial)).toHaveLength(4);
  });

  it('21.6 replaces, deletes, extends and prunes', async () => {
    await client.patch(zone.id, replaced(at('a'), 'A', ['192.0.2.1', '192.0.2.2']));
    await client.patch(zone.id, replaced(at('a'), 'A', ['192.0.2.2', '192.0.2.3'], { ttl: 60 }));
    expect(await setAt('a', 'A')).toMatchObject({ ttl: 60 });
    expect(contentsOf(await setAt('a', 'A'))).toEqual(['192.0.2.2', '192.0.2.3']);
    const one = (changetype: string, content: string, ttl = 60) => ({
      ...{ name: at('a'), type: 'A', ttl, changetype, records: records([content]) },
    });
    await client.patch(zone.id, one('EXTEND', '192.0.2.4'));
    const again = await client.patch(zone.id, one('EXTEND', '192.0.2.4'));
    expect(again.headers['x-pdns-new-serial']).toBe(again.headers['x-pdns-old-serial']);
    await client.patch(zone.id, one('PRUNE', '192.0.2.2'));
    await client.patch(zone.id, one('PRUNE', '192.0.2.9'));
    expect(contentsOf(await setAt('a', 'A'))).toEqual(['192.0.2.3', '192.0.2.4']);
    expect(await refusal(one('EXTEND', '192.0.2.5', 61))).toContain('uses a different TTL value');
    expect(await refusal({ ...one('EXTEND', ''), records: records(['192.0.2.5', '192.0.2.6']) })).toContain(
      'Exactly one record',
    );
    // Each entry has one record, so that several of a set come in one request; a deletion forgets which TTL they expected.
    await client.patch(zone.id, one('EXTEND', '192.0.2.5'), one('EXTEND', '192.0.2.6'), one('PRUNE', '192.0.2.3'));
    expect(contentsOf(await setAt('a', 'A'))).toEqual(['192.0.2.4', '192.0.2.5', '192.0.2.6']);
    const deletion = { name: at('a'), type: 'A', changetype: 'DELETE' };
    await client.patch(zone.id, one('EXTEND', '192.0.2.7', 300), deletion, one('EXTEND', '192.0.2.8', 300));
    expect(await setAt('a', 'A')).toMatchObject({ ttl: 300 });
    expect(contentsOf(await setAt('a', 'A'))).toEqual(['192.0.2.8']);
    await client.patch(zone.id, { name: at('a'), type: 'A', changetype: 'DELETE', ttl: 60, records: null });
    await client.patch(zone.id, { name: at('a'), type: 'A', changetype: 'DELETE' });
    expect(await setAt('a', 'A')).toBeUndefined();
    await client.patch(zone.id, one('EXTEND', '192.0.2.4'), one('PRUNE', '192.0.2.4'));
    await client.patch(zone.id, replaced(at('a'), 'A', []));
    expect(await setAt('a', 'A')).toBeUndefined();
  });

  it('21.6, 9.2 is judged by its result', async () => {
    await client.patch(zone.id, replaced(at('a'), 'A', ['192.0.2.1']));
    await client.patch(zone.id, replaced(at('a'), 'CNAME', ['other.example.net.']), {
      name: at('a'),
      type: 'A',
      changetype: 'DELETE',
    });
    expect(contentsOf(await setAt('a', 'CNAME'))).toEqual(['other.example.net.']);
    const conflict = await refusal(replaced(at('ok'), 'A', ['192.0.2.1']), replaced(at('a'), 'A', ['192.0.2.1']));
    expect(conflict).toContain('Conflicts with pre-existing RRset');
    expect(await setAt('ok', 'A')).toBeUndefined();
    // A deletion and a replacement of one set, as octoDNS and PowerDNS-Admin send them.
    await client.patch(
      zone.id,
      { name: at('a'), type: 'CNAME', changetype: 'DELETE' },
      replaced(at('a'), 'CNAME', ['third.example.net.']),
    );
    expect(contentsOf(await setAt('a', 'CNAME'))).toEqual(['third.example.net.']);
  });

  it.each<[string, object | string, string]>([
    ['no rrsets', {}, 'No rrsets given in update request'],
    ['rrsets that are no list', { rrsets: 'a' }, 'not an array'],
    ['an entry that is no object', { rrsets: [1] }, 'no object'],
  ])('21.2 refuses %s', async (_, body, words) => {
    expect(await client.refusal('patch', `/zones/${zone.id}`, body)).toContain(words);
  });

  it.each<[string, (name: string) => readonly object[], string]>([
    ['no changetype', (name) => [{ ...replaced(name, 'A', ['192.0.2.1']), changetype: undefined }], 'changetype'],
    [
      'an unknown changetype',
      (name) => [replaced(name, 'A', ['192.0.2.1'], { changetype: 'ADD' })],
      'is not a valid value',
    ],
    ['no name', () => [{ ...replaced('', 'A', ['192.0.2.1']), name: undefined }], "'name'"],
    ['no type', (name) => [{ ...replaced(name, 'A', ['192.0.2.1']), type: undefined }], "'type'"],
    ['no ttl', (name) => [replaced(name, 'A', ['192.0.2.1'], { ttl: undefined })], "'ttl'"],
    ['a ttl of no number', (name) => [replaced(name, 'A', ['192.0.2.1'], { ttl: 'soon' })], "'ttl'"],
    ['neither records nor comments', (name) => [{ name, type: 'A', changetype: 'REPLACE' }], 'records'],
    ['no content', (name) => [replaced(name, 'A', [], { records: [{}] })], "'content'"],
    ['an unknown type', (name) => [replaced(name, 'ALIAS', ['a.example.net.'])], 'unknown type'],
    ['OPT', (name) => [replaced(name, 'OPT', ['x'])], 'invalid type given'],
    ['a name without its dot', () => [replaced('a.example.org', 'A', ['192.0.2.1'])], 'is not canonical'],
    ['a name outside', () => [replaced('a.example.net.', 'A', ['192.0.2.1'])], 'Name is out of zone'],
    ['characters of no name', (name) => [replaced(`a:b.${name}`, 'A', ['192.0.2.1'])], 'unsupported characters'],
    ['bad content', (name) => [replaced(name, 'A', ['192.0.2.256'])], 'Not in expected format'],
    ['a target without its dot', (name) => [replaced(name, 'MX', ['10 mail'])], 'Not in expected format'],
    ['characters of zone files', (name) => [replaced(name, 'A', ['(192.0.2.1)'])], "Invalid character '(' in record"],
    ['a mailbox for a host', (name) => [replaced(name, 'MX', ['10 a@b.example.net.'])], 'IN MX: non-hostname content'],
    ['content of nothing', (name) => [replaced(name, 'A', [' '])], 'missing field at the end of record content'],
    ['a bad escape', (name) => [replaced(name, 'TXT', ['"a\\1"'])], 'Not in expected format (parsed as'],
    ['text without quotes', (name) => [replaced(name, 'TXT', ['text'])], 'Not in expected format'],
    [
      'a record twice',
      (name) => [replaced(name, 'AAAA', ['2001:db8::1', '2001:DB8:0::1'])],
      'Duplicate record in RRset',
    ],
    [
      'a set twice',
      (name) => [replaced(name, 'A', ['192.0.2.1']), replaced(name, 'A', ['192.0.2.2'])],
      'Duplicate RRset',
    ],
    [
      'two CNAME',
      (name) => [replaced(name, 'CNAME', ['a.example.net.', 'b.example.net.'])],
      'IN CNAME: only one such record',
    ],
    [
      'CNAME at the apex',
      () => [replaced(zone.name, 'CNAME', ['a.example.net.'])],
      'not allowed at apex, where it conflicts with existing NS RRset',
    ],
    [
      'disabled that is no boolean',
      (name) => [replaced(name, 'A', [], { records: [{ content: '192.0.2.1', disabled: 1 }] })],
      "'disabled'",
    ],
    [
      'a comment without account',
      (name) => [{ name, type: 'A', changetype: 'REPLACE', comments: [{ content: 'x' }] }],
      "'account'",
    ],
    [
      'comments beyond 64 KiB',
      (name) => [{ name, type: 'A', changetype: 'REPLACE', comments: [{ content: 'x'.repeat(65_530), account: 'a' }] }],
      'at most',
    ],
    [
      'more entries than a request may have',
      (name) => Array.from({ length: 50 }, (_, at) => replaced(`h${at}.${name}`, 'A', ['192.0.2.1'])),
      'at most 50 rrsets',
    ],
    [
      'comments of the SOA beyond 64 KiB',
      () => [
        {
          ...{ name: zone.name, type: 'SOA', changetype: 'REPLACE' },
          comments: [{ content: 'x'.repeat(65_530), account: 'a' }],
        },
      ],
      '65536 octets',
    ],
    [
      'comments with EXTEND',
      (name) => [
        { ...replaced(name, 'A', ['192.0.2.1']), changetype: 'EXTEND', comments: [{ content: 'x', account: 'y' }] },
      ],
      'takes no comments',
    ],
    [
      'more records than a message holds',
      (name) => [
        replaced(
          name,
          'A',
          Array.from({ length: 5462 }, () => '192.0.2.1'),
        ),
      ],
      'no DNS message holds',
    ],
    [
      'more records than the quota',
      (name) => [
        replaced(
          name,
          'A',
          [1, 2, 3, 4, 5, 6].map((n) => `192.0.2.${n}`),
        ),
      ],
      'quota',
    ],
  ])('21.2, 21.6 refuses %s, and does nothing', async (_, rrsets, words) => {
    const before = await client.zone(zone.id);
    expect(await refusal(replaced(at('other'), 'A', ['192.0.2.1']), ...rrsets(at('x')))).toContain(words);
    expect(await client.zone(zone.id)).toEqual(before);
  });
});

describe('contents', () => {
  it.each<[string, string]>([
    ['MX', '10 mail.example.net.'],
    ['SRV', '10 5 5060 sip.example.net.'],
    ['TXT', '"v=spf1 include:example.net -all"'],
    ['TXT', '"a\\;b" "\\195\\164 ä"'],
    ['TXT', `"${'x'.repeat(256)}"`],
    ['CAA', '0 issue "ca.example.net"'],
    ['NAPTR', '100 10 "S" "SIP+D2U" "" _sip._udp.example.net.'],
    ['HTTPS', '1 . alpn=h2,h3'],
    ['LOC', '52 22 23.000 N 4 53 32.000 E -2.00m 0.00m 10000m 10m'],
    ['TYPE65280', '\\# 4 0a0b0c0d'],
    ['AAAA', '2001:DB8::1'],
    ['PTR', 'host.example.net.'],
    ['SSHFP', '1 1 dd465c09cfa51fb45020cc83316fff21b9ec74ac'],
  ])('21.5 are given back as they were sent: %s %s', async (type, content) => {
    const name = type === 'SRV' ? at('_sip._udp') : at('x');
    await client.patch(zone.id, replaced(name, type, [content]));
    expect(contentsOf(await client.rrset(zone.id, name, type))).toEqual([content]);
  });

  it.each<[string, string, string]>([
    ['A', ' 192.0.2.1\t', '192.0.2.1'],
    ['MX', '10   mail.example.net.', '10 mail.example.net.'],
    ['TXT', '  "two  blanks"   "a\\" b" ', '"two  blanks" "a\\" b"'],
  ])(
    '21.5 have one blank between two words outside of quotes, and none around them: %s %s',
    async (type, text, shown) => {
      await client.patch(zone.id, replaced(at('x'), type, [text]));
      expect(contentsOf(await client.rrset(zone.id, at('x'), type))).toEqual([shown]);
    },
  );

  it('21.5 of a set come in their order', async () => {
    await client.patch(
      zone.id,
      replaced(at('a'), 'A', [], {
        records: [...records(['192.0.2.30', '192.0.2.4']), { content: '192.0.2.31', disabled: true }],
      }),
    );
    expect(contentsOf(await setAt('a', 'A'))).toEqual(['192.0.2.30', '192.0.2.31', '192.0.2.4']);
  });

  it('21.5 of version 1 are shown as PowerDNS writes them', async () => {
    const made = await newDomain(service);
    await made.newRecord({ name: made.at('t'), type: 'TXT', data: 'say "no"'.replaceAll('"', '\\"') });
    await made.newRecord({ name: made.at('m'), type: 'MX', data: 'mail.example.net.', priority: 5, ttl: 77 });
    expect(contentsOf(await client.rrset(made.name, made.at('t'), 'TXT'))).toEqual(['"say \\"no\\""']);
    expect(await client.rrset(made.name, made.at('m'), 'MX')).toMatchObject({
      ttl: 77,
      records: [{ content: '5 mail.example.net.' }],
    });
  });

  it('21.5 of some sets alone, and in an order of keys that clients without a reader of JSON expect', async () => {
    await client.patch(
      zone.id,
      replaced(at('a'), 'A', ['192.0.2.1']),
      replaced(at('a'), 'TXT', ['"t"']),
      replaced(at('b'), 'A', ['192.0.2.2']),
    );
    const only = async (query: string): Promise<unknown[]> =>
      (await client.json<PowerDnsZone>('get', `/zones/${zone.id}?${query}`)).rrsets.map(({ name, type }) => [
        name,
        type,
      ]);
    expect(await only(`rrset_name=${at('a')}&rrset_type=TXT`)).toEqual([[at('a'), 'TXT']]);
    expect(await only(`rrset_name=${at('a')}`)).toEqual([
      [at('a'), 'A'],
      [at('a'), 'TXT'],
    ]);
    expect(await only(`rrset_name=${zone.name}`)).toEqual([[zone.name, 'SOA']]);
    expect(await only('rrset_name=none.example.')).toEqual([]);
    expect(await client.json('get', `/zones/${zone.id}?rrsets=false`)).not.toHaveProperty('rrsets');
    const { text } = await client.answer('get', `/zones/${zone.id}`);
    expect(text).toMatch(
      new RegExp(
        `"name":"${at('b')}","records":\\[\\{"content":"192\\.0\\.2\\.2","disabled":false\\}\\],"ttl":300,"type":"A"`,
      ),
    );
  });
});

describe('data next to records', () => {
  const COMMENT = { content: 'a router', account: 'netbox', modified_at: 1_700_000_000 };

  it('21.9 comments are given back, with and without records', async () => {
    await client.patch(zone.id, replaced(at('a'), 'A', ['192.0.2.1'], { comments: [COMMENT] }));
    expect((await setAt('a', 'A'))?.comments).toEqual([COMMENT]);
    // They stay unless a request says otherwise.
    await client.patch(zone.id, replaced(at('a'), 'A', ['192.0.2.2']));
    expect(await setAt('a', 'A')).toMatchObject({ comments: [COMMENT], records: [{ content: '192.0.2.2' }] });
    const serial = (await client.zone(zone.id)).serial;
    await client.patch(zone.id, {
      name: at('a'),
      type: 'A',
      changetype: 'REPLACE',
      comments: [{ ...COMMENT, content: 'b' }],
    });
    expect(await client.zone(zone.id)).toMatchObject({ serial });
    await client.patch(zone.id, replaced(at('a'), 'A', []));
    expect(await setAt('a', 'A')).toMatchObject({ records: [], comments: [{ content: 'b' }] });
    expect((await served()).join('\n')).not.toContain(at('a'));
    await client.patch(zone.id, replaced(at('a'), 'A', ['192.0.2.3'], { comments: [] }));
    expect(await setAt('a', 'A')).toMatchObject({ comments: [] });
    await client.patch(zone.id, { name: at('a'), type: 'A', changetype: 'REPLACE', comments: [COMMENT] });
    await client.patch(zone.id, { name: at('a'), type: 'A', changetype: 'DELETE' });
    expect(await setAt('a', 'A')).toBeUndefined();
    const now = { content: 'now', account: '' };
    await client.patch(zone.id, { name: at('c'), type: 'A', changetype: 'REPLACE', comments: [now] });
    expect((await setAt('c', 'A'))?.comments[0]?.modified_at).toBeGreaterThan(1_700_000_000);
    await client.patch(zone.id, replaced(at('c'), 'A', [], { comments: [] }));
    expect(await setAt('c', 'A')).toBeUndefined();
  });

  it('21.9 disabled records are kept, and neither served nor shown by other interfaces', async () => {
    const set = [
      { content: '192.0.2.1', disabled: false },
      { content: '192.0.2.2', disabled: true },
    ];
    await client.patch(
      zone.id,
      replaced(at('a'), 'A', [], { records: set }),
      replaced(at('off'), 'CNAME', [], { records: [{ content: 'x.example.net.', disabled: true }] }),
    );
    expect((await setAt('a', 'A'))?.records).toEqual(set);
    expect(await setAt('off', 'CNAME')).toMatchObject({ ttl: 300, records: [{ disabled: true }] });
    for (const query of ['include_disabled=false', `include_disabled=false&rrset_name=${at('a')}`]) {
      const { rrsets } = await client.json<PowerDnsZone>('get', `/zones/${zone.id}?${query}`);
      expect(rrsets.find(({ type }) => type === 'A')).toMatchObject({ records: records(['192.0.2.1']) });
      expect(rrsets.map(({ type }) => type)).not.toContain('CNAME');
    }
    const made = await domain();
    expect((await made.records()).map(({ data }) => data)).toEqual(['192.0.2.1']);
    expect((await served()).filter((line) => line.includes('192.0.2.'))).toHaveLength(1);
    // A disabled CNAME conflicts with no record.
    await client.patch(zone.id, replaced(at('off'), 'A', ['192.0.2.9']));
    await client.patch(
      zone.id,
      replaced(at('a'), 'A', [], { records: set.map(({ content }) => ({ content, disabled: true })) }),
    );
    expect((await setAt('a', 'A'))?.records.map(({ disabled }) => disabled)).toEqual([true, true]);
    expect(await made.records()).toHaveLength(1);
    await client.patch(zone.id, replaced(at('a'), 'A', ['192.0.2.1', '192.0.2.2']));
    expect((await setAt('a', 'A'))?.records.map(({ disabled }) => disabled)).toEqual([false, false]);
  });

  it('21.9 keeps disabled records when version 1 deletes the rest, and counts them in their set', async () => {
    const off = (contents: readonly string[]) => contents.map((content) => ({ content, disabled: true }));
    const all = [...records(['192.0.2.1']), ...off(['192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'])];
    await client.patch(zone.id, replaced(at('a'), 'A', [], { records: all }));
    expect(await refusal(replaced(at('a'), 'A', [], { records: [...all, ...off(['192.0.2.6'])] }))).toContain('quota');
    const made = await domain();
    const [record] = await made.records();
    await answerOf(made.delete(record?.id ?? ''));
    expect(contentsOf(await setAt('a', 'A'))).toHaveLength(4);
    await made.newRecord({ name: at('a'), type: 'A', data: '192.0.2.2' });
    expect((await setAt('a', 'A'))?.records.filter(({ content }) => content === '192.0.2.2')).toEqual([
      { content: '192.0.2.2', disabled: false },
    ]);
  });
});

describe('search', () => {
  it('21.10 finds zones, records and comments by wildcards', async () => {
    await client.patch(
      zone.id,
      replaced(at('find-me'), 'A', ['192.0.2.77'], { comments: [{ content: 'needle', account: 'a' }] }),
    );
    const find = (query: string) =>
      client.json<{ object_type: string; name: string }[]>('get', `/search-data?${query}`);
    const label = zone.name.slice(0, -1);
    expect(await find(`q=${label.toUpperCase()}&object_type=zone`)).toEqual([
      { name: zone.name, object_type: 'zone', zone_id: zone.id },
    ]);
    expect(await find(`q=find-me.p*&object_type=record`)).toEqual([
      {
        ...{ content: '192.0.2.77', disabled: false, name: at('find-me'), object_type: 'record', ttl: 300, type: 'A' },
        ...{ zone: zone.name, zone_id: zone.id },
      },
    ]);
    expect(await find('q=192.0.2.7?&object_type=')).toHaveLength(1);
    expect(await find('q=nee*&object_type=comment')).toMatchObject([{ object_type: 'comment', name: at('find-me') }]);
    expect(await find('q=*&max=1')).toHaveLength(1);
    expect(await new PowerDnsClient(service, 'tenant-b').json('get', '/search-data?q=*')).toEqual([]);
  });

  it('21.10 ignores case and final dots, and finds records by contents, disabled ones too', async () => {
    const target = 'Mail.Found.example.net.';
    await client.patch(zone.id, {
      ...replaced(at('found'), 'MX', []),
      records: [{ content: `10 ${target}`, disabled: true }],
    });
    const find = (query: string) => client.json<{ object_type: string }[]>('get', `/search-data?${query}`);
    const record = { content: `10 ${target}`, disabled: true, name: at('found'), object_type: 'record' };
    for (const query of ['q=10%20mail.found.EXAMPLE.net', `q=*${target}`, 'q=*found.example.net', `q=${at('FOUND')}`])
      expect(await find(query)).toMatchObject([record]);
    expect(await find(`q=${zone.name}&object_type=ZONE`)).toMatchObject([{ object_type: 'zone', name: zone.name }]);
    for (const type of ['Record', 'RECORD', 'record'])
      expect(await find(`q=found.*&object_type=${type}`)).toMatchObject([record]);
    expect(await find('q=found.*&object_type=zone')).toEqual([]);
  });

  it.each([
    '',
    'q=',
    'q=*&max=0',
    'q=*&max=-1',
    'q=*&object_type=nonsense',
    `q=${'*a'.repeat(600)}`,
    `q=${'?a'.repeat(60)}`,
  ])('21.10 refuses ?%s', async (query) => {
    await client.refusal('get', `/search-data?${query}`, undefined);
  });
});
