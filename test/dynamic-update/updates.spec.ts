import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import {
  add,
  type Asked,
  exists,
  isFree,
  remove,
  startUpdateService,
  type UpdateService,
  type Updater,
} from '../support/updates.js';

interface Entry {
  readonly actor: Readonly<Record<string, unknown>>;
  readonly serial: number;
  readonly request_id: string;
}

const DATA: Readonly<Record<string, string>> = {
  A: '192.0.2.1',
  AAAA: '2001:db8::1',
  TXT: '"text"',
  MX: '10 mx.example.net.',
};

let service: UpdateService;
let updater: Updater;
let domain: TestDomain;
beforeAll(async () => {
  service = await startUpdateService();
  updater = await service.newUpdater();
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});

const update = (asked: Asked): Promise<string> => updater.update(domain.name, asked);
const at = (label: string): string => domain.at(label);
const serial = async (): Promise<number> => (await domain.now()).serial;

/** The records of the zone without SOA and the NS of the service: `www 300 A 192.0.2.1`. */
async function contents(): Promise<string[]> {
  const lines = linesOfExport(await domain.export()).slice(1);
  return lines
    .map((line) => line.replaceAll(domain.name, '@').replaceAll('.@', ''))
    .filter((line) => !line.endsWith(' NS ns1.zonewright.invalid.'))
    .sort();
}

describe('prerequisites', () => {
  beforeEach(async () => {
    expect(
      await update({
        updates: [
          add(at('www'), 300, 'A', '192.0.2.1'),
          add(at('www'), 300, 'A', '192.0.2.2'),
          add(at('mail'), 300, 'MX', `10 ${at('Mx')}`),
          add(at('a.b'), 300, 'TXT', '"Text"'),
          add(at('*.w'), 300, 'A', '192.0.2.3'),
        ],
      }),
    ).toBe('NOERROR');
  });

  it.each<[string, () => Asked['prerequisites'] & object, string]>([
    ['a name that is there', () => [exists(at('www'))], 'NOERROR'],
    ['a name that is not', () => [exists(at('none'))], 'NXDOMAIN'],
    ['a name that only has names below it', () => [exists(at('b'))], 'NXDOMAIN'],
    ['the same to be free', () => [isFree(at('b'))], 'NOERROR'],
    ['the apex', () => [exists(domain.name)], 'NOERROR'],
    ['a name to be free that is not', () => [isFree(at('www'))], 'YXDOMAIN'],
    ['a set', () => [exists(at('www'), 'A')], 'NOERROR'],
    ['a set that is not there', () => [exists(at('www'), 'AAAA')], 'NXRRSET'],
    ['a set to be free', () => [isFree(at('www'), 'AAAA')], 'NOERROR'],
    ['a set to be free that is not', () => [isFree(at('www'), 'A')], 'YXRRSET'],
    ['a set of an absent type', () => [exists(at('www'), 'TYPE65280')], 'NXRRSET'],
    ['all of a set', () => [exists(at('www'), 'A', '192.0.2.2'), exists(at('www'), 'A', '192.0.2.1')], 'NOERROR'],
    ['one record of two', () => [exists(at('www'), 'A', '192.0.2.2')], 'NXRRSET'],
    [
      'more records than there are',
      () => ['1', '2', '3'].map((octet) => exists(at('www'), 'A', `192.0.2.${octet}`)),
      'NXRRSET',
    ],
    ['a record twice', () => [exists(at('a.b'), 'TXT', '"Text"'), exists(at('a.b'), 'TXT', '"Text"')], 'NOERROR'],
    ['text in another case', () => [exists(at('a.b'), 'TXT', '"text"')], 'NXRRSET'],
    ['names in another case', () => [exists(at('MAIL'), 'MX', `10 ${at('mX')}`)], 'NOERROR'],
    ['a wildcard by its name', () => [exists(at('*.w'), 'A')], 'NOERROR'],
    ['what a wildcard stands for', () => [exists(at('foo.w'))], 'NXDOMAIN'],
    ['values after all others', () => [exists(at('www'), 'A', '192.0.2.9'), isFree(at('www'))], 'YXDOMAIN'],
    ['the first that fails', () => [exists(at('none')), isFree(at('www'))], 'NXDOMAIN'],
    ['a name outside', () => [exists('example.net.')], 'NOTZONE'],
  ])('20.3 ask for %s', async (_, prerequisites, expected) => {
    expect(await update({ prerequisites: prerequisites() })).toBe(expected);
  });

  it('20.3 see the served SOA and NS of the apex', async () => {
    const [soa = '', ...others] = linesOfExport(await domain.export());
    const data = soa.split(' SOA ')[1] ?? '';
    expect(await update({ prerequisites: [exists(domain.name, 'SOA', data)] })).toBe('NOERROR');
    const ns = others.flatMap((line) => (line.includes(' NS ') ? [line.split(' NS ')[1] ?? ''] : []));
    expect(await update({ prerequisites: ns.map((name) => exists(domain.name, 'NS', name)) })).toBe('NOERROR');
    expect(await update({ updates: [remove(at('www'), 'A', '192.0.2.1')] })).toBe('NOERROR');
    expect(await update({ prerequisites: [exists(domain.name, 'SOA', data)] })).toBe('NXRRSET');
  });

  it('20.3 without updates change nothing', async () => {
    const before = await serial();
    expect(await update({ prerequisites: [exists(at('www'), 'A'), isFree(at('none'))] })).toBe('NOERROR');
    expect(await update({})).toBe('NOERROR');
    expect(await serial()).toBe(before);
  });

  it('20.3 change nothing if one of them fails', async () => {
    const before = await serial();
    const asked = { prerequisites: [isFree(at('www'))], updates: [remove(at('www'))] };
    expect(await update(asked)).toBe('YXDOMAIN');
    expect(await serial()).toBe(before);
  });
});

describe('updates', () => {
  it.each<[string, () => Asked['updates'] & object, string[]]>([
    ['add', () => [add(at('www'), 300, 'A', '192.0.2.1')], ['www 300 A 192.0.2.1']],
    [
      'give a set the TTL of the last one',
      () => [add(at('www'), 300, 'A', '192.0.2.1'), add(at('www'), 600, 'A', '192.0.2.2')],
      ['www 600 A 192.0.2.1', 'www 600 A 192.0.2.2'],
    ],
    [
      'take a TTL of 0, and one of 2^31 for it',
      () => [add(at('a'), 0, 'TXT', '"0"'), add(at('b'), 2 ** 31, 'TXT', '"1"')],
      ['a 0 TXT "0"', 'b 0 TXT "1"'],
    ],
    [
      'see what those before them did',
      () => [add(at('x'), 1, 'TXT', '"1"'), remove(at('x')), add(at('x'), 2, 'TXT', '"2"')],
      ['x 2 TXT "2"'],
    ],
    [
      'delete a record, a set and a name',
      () => [
        ...['1', '2'].map((octet) => add(at('a'), 60, 'A', `192.0.2.${octet}`)),
        ...['b', 'c'].flatMap((label) => [add(at(label), 60, 'A', '192.0.2.1'), add(at(label), 60, 'TXT', '"t"')]),
        remove(at('a'), 'A', '192.0.2.1'),
        remove(at('b'), 'A'),
        remove(at('c')),
      ],
      ['a 60 A 192.0.2.2', 'b 60 TXT "t"'],
    ],
    [
      'put a DNAME above what they delete, name by name',
      () => [
        ...['A', 'AAAA', 'TXT', 'MX'].map((type) => add(at('x.d'), 5, type, DATA[type] ?? '')),
        add(at('y.x.d'), 5, 'TXT', '"below"'),
        remove(at('x.d')),
        remove(at('y.x.d')),
        add(at('d'), 5, 'DNAME', 'example.net.'),
      ],
      ['d 5 DNAME example.net.'],
    ],
    ['take labels with an asterisk in them', () => [add(at('a-*.x'), 5, 'TXT', '"t"')], ['a-*.x 5 TXT "t"']],
    ['take DHCID', () => [add(at('h'), 5, 'DHCID', 'AAAB')], ['h 5 DHCID AAAB']],
  ])('20.4 %s', async (_, updates, expected) => {
    expect(await update({ updates: updates() })).toBe('NOERROR');
    expect(await contents()).toEqual(expected);
  });

  it('20.4 put a DNAME above names that the zone has and that they delete, and names where a DNAME was', async () => {
    const records = Object.entries(DATA).map(([type, data]) => add(at('x.d'), 5, type, data));
    expect(await update({ updates: records })).toBe('NOERROR');
    expect(await update({ updates: [remove(at('x.d')), add(at('d'), 5, 'DNAME', 'example.net.')] })).toBe('NOERROR');
    expect(await contents()).toEqual(['d 5 DNAME example.net.']);
    expect(await update({ updates: [remove(at('d')), add(at('x.d'), 5, 'A', '192.0.2.1')] })).toBe('NOERROR');
    expect(await contents()).toEqual(['x.d 5 A 192.0.2.1']);
  });

  it.each<[string, () => Asked['updates'] & object, string[]]>([
    ['a record that is there', () => [add(at('www'), 300, 'A', '192.0.2.1')], []],
    ['a record deleted and added again', () => [remove(at('www')), add(at('www'), 300, 'A', '192.0.2.1')], []],
    ['a DNAME where a CNAME is', () => [add(at('alias'), 300, 'DNAME', 'example.net.')], []],
    ['missing records', () => [remove(at('www'), 'A', '192.0.2.9'), remove(at('x')), remove(at('www'), 'MX')], []],
    ['text in another case', () => [remove(at('txt'), 'TXT', '"TEXT"')], []],
    ['a CNAME where other records are', () => [add(at('www'), 300, 'CNAME', 'example.net.')], []],
    ['other records where a CNAME is', () => [add(at('alias'), 300, 'A', '192.0.2.1')], []],
    ['a CNAME at the apex', () => [add(domain.name, 300, 'CNAME', 'example.net.')], []],
    [
      'SOA and the NS of the service',
      () => [
        add(domain.name, 9, 'SOA', '. . 4294967295 1 1 1 1'),
        remove(domain.name, 'SOA'),
        remove(domain.name, 'NS'),
        remove(domain.name),
      ],
      [],
    ],
  ])('20.5 ignore %s', async (_, updates, expected) => {
    const stored = [
      add(at('www'), 300, 'A', '192.0.2.1'),
      add(at('txt'), 300, 'TXT', '"text"'),
      add(at('alias'), 300, 'CNAME', at('www')),
    ];
    expect(await update({ updates: stored })).toBe('NOERROR');
    const [before, known] = [await serial(), await contents()];
    expect(await update({ updates: updates() })).toBe('NOERROR');
    expect(await contents()).toEqual([...known, ...expected].sort());
    expect(await serial()).toBe(before);
  });

  it.each<[string, () => Asked['updates'] & object, string[]]>([
    [
      'a CNAME by another',
      () => [add(at('c'), 1, 'CNAME', 'a.example.net.'), add(at('c'), 2, 'CNAME', 'b.example.net.')],
      ['c 2 CNAME b.example.net.'],
    ],
    [
      'records deleted because of a CNAME',
      () => [add(at('c'), 1, 'A', '192.0.2.1'), remove(at('c'), 'A'), add(at('c'), 2, 'CNAME', 'b.example.net.')],
      ['c 2 CNAME b.example.net.'],
    ],
    [
      'nothing by a CNAME that comes too early',
      () => [add(at('c'), 1, 'A', '192.0.2.1'), add(at('c'), 2, 'CNAME', 'b.example.net.'), remove(at('c'), 'A')],
      [],
    ],
    [
      'a DNAME by another',
      () => [add(at('d'), 1, 'DNAME', 'a.example.net.'), add(at('d'), 2, 'DNAME', 'b.example.net.')],
      ['d 2 DNAME b.example.net.'],
    ],
  ])('20.5 replace %s', async (_, updates, expected) => {
    expect(await update({ updates: updates() })).toBe('NOERROR');
    expect(await contents()).toEqual(expected);
  });

  it('20.5 add and delete apex NS records next to the generated ones', async () => {
    expect(await update({ updates: [add(domain.name, 60, 'NS', 'ns.example.com.')] })).toBe('NOERROR');
    expect(await domain.export()).toContain('ns.example.com.');
    expect(await update({ updates: [remove(domain.name, 'NS')] })).toBe('NOERROR');
    expect(await domain.export()).toContain('ns.example.com.');
    expect(await update({ updates: [remove(domain.name, 'NS', 'NS.example.com.')] })).toBe('NOERROR');
    expect(await contents()).toEqual([]);
  });

  it.each<[string, () => Asked['updates'] & object, string]>([
    ['outside', () => [add('www.example.net.', 1, 'A', '192.0.2.1')], 'NOTZONE'],
    ['of a type that is not taken', () => [add(at('k'), 1, 'TYPE30', '\\# 4 01020304')], 'REFUSED'],
    ['that the rules refuse', () => [add(at('x'), 1, 'MX', '10 192.0.2.1.')], 'NOERROR'],
    ['at a name that the rules refuse', () => [add(at('-x'), 1, 'A', '192.0.2.1')], 'REFUSED'],
    ['below a DNAME', () => [add(at('d'), 1, 'DNAME', 'example.net.'), add(at('x.d'), 1, 'A', '192.0.2.1')], 'REFUSED'],
  ])('20.2 are checked by the records that they add: %s', async (_, updates, expected) => {
    expect(await update({ updates: [add(at('first'), 1, 'A', '192.0.2.1'), ...updates()] })).toBe(expected);
    if (expected !== 'NOERROR') expect(await contents()).toEqual([]);
  });

  it('20.2 leave names of a child domain to that', async () => {
    const child = await newDomain(service, at('child'));
    expect(await update({ updates: [add(child.at('x'), 1, 'A', '192.0.2.1')] })).toBe('REFUSED');
    expect(await update({ updates: [remove(child.at('x'))] })).toBe('REFUSED');
    const many = Array.from({ length: 150 }, (_, number) => add(at(`h${number}`), 1, 'A', '192.0.2.1'));
    expect(await update({ updates: [...many, add(child.at('x'), 1, 'A', '192.0.2.1')] })).toBe('REFUSED');
    expect(await update({ updates: many })).toBe('NOERROR');
    expect(await update({ prerequisites: [isFree(child.at('x'))] })).toBe('REFUSED');
    expect(await update({ updates: [add(child.name, 1, 'NS', 'ns.example.net.')] })).toBe('NOERROR');
  });

  it('20.1 are one change each, with the key as its author', async () => {
    const updates = ['a', 'b', 'c'].map((label) => add(at(label), 60, 'A', '192.0.2.1'));
    expect(await update({ updates })).toBe('NOERROR');
    const { history } = await bodyOf<{ history: Entry[] }>(service.call('get', `/v1/domains/${domain.id}/history`));
    const own = history.filter(({ request_id }) => request_id.startsWith('update-'));
    expect(own).toHaveLength(3);
    expect(new Set(own.map(({ serial: of }) => of))).toEqual(new Set([await serial()]));
    expect(own[0]?.actor).toMatchObject({ tenant_id: 'tenant-a', user: updater.key.name.toString() });
  });
});
