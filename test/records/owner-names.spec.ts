import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { add, remove, startUpdateService, type Updater, type UpdateService } from '../support/updates.js';

let service: UpdateService;
let updater: Updater;
let domain: TestDomain;
beforeAll(async () => {
  service = await startUpdateService({ SERVICE_POWERDNS__ENABLED: 'True' });
  updater = await service.newUpdater();
  domain = await newDomain(service);
});
afterAll(() => service.stop());

/** Stored labels: those of DNS-SD, of RFC 4592, and octets outside text. */
const LABELS = [
  String.raw`Main\032Printer._ipp._tcp`,
  String.raw`a\.b`,
  String.raw`\000\255`,
  'sub.*',
  '*.*.x',
  '-foo',
  'foo-',
  'foo/bar',
  String.raw`foo\043bar`,
];
const TYPES: readonly (readonly [type: string, data: string])[] = [
  ['TXT', '"rp=a"'],
  ['SRV', '0 0 631 ns1.example.net.'],
  ['PTR', String.raw`Main\032Printer._ipp._tcp.example.org.`],
];

const zonePath = (): string => `/api/v1/servers/localhost/zones/${domain.name}`;
const patch = (changes: object): Promise<unknown> =>
  answerOf(service.call('patch', zonePath(), { rrsets: [changes] }), 204);

/** How each interface makes a record set at a name of any octets. */
const INTERFACES: Readonly<Record<string, (name: string, type: string, data: string) => Promise<unknown>>> = {
  'a zone file': (name, type, data) => domain.import(`${name} 300 ${type} ${data}\n`),
  'the PowerDNS API': (name, type, content) =>
    patch({ name, type, ttl: 300, changetype: 'REPLACE', records: [{ content }] }),
  'an UPDATE': async (name, type, data) => {
    expect(await updater.update(domain.name, { updates: [add(name, 300, type, data)] })).toBe('NOERROR');
  },
};

describe.each(Object.keys(INTERFACES))('records at names of any octets, made by %s', (given) => {
  it.each(LABELS)('4.3 are at %s in every interface', async (label) => {
    const name = domain.at(label);
    for (const [type, data] of TYPES) await INTERFACES[given]?.(name, type, data);
    expect(linesOfExport(await domain.export()).filter((line) => line.startsWith(`${name} `))).toHaveLength(3);

    const records = (await domain.records()).filter((record) => record.name === name);
    expect(records.map(({ type }) => type).sort()).toEqual(['PTR', 'SRV', 'TXT']);
    for (const record of records) {
      expect(await bodyOf(domain.update(record.id, { name: record.name, data: record.data }))).toMatchObject({ name });
    }
    const sets = await bodyOf<{ recordsets: { id: string; name: string; type: string; records: string[] }[] }>(
      service.call('get', `/v2/zones/${domain.id}/recordsets?limit=100`),
    );
    const own = sets.recordsets.filter((set) => set.name === name);
    expect(own).toHaveLength(3);
    for (const { id, records: texts } of own)
      await answerOf(service.call('put', `/v2/zones/${domain.id}/recordsets/${id}`, { records: texts }), 202);
    const { rrsets } = await bodyOf<{ rrsets: { name: string; type: string }[] }>(service.call('get', zonePath()));
    expect(rrsets.filter((set) => set.name.toLowerCase() === name.toLowerCase())).toHaveLength(3);

    const before = await domain.export();
    await domain.import(before, '?mode=replace');
    expect(linesOfExport(await domain.export()).slice(1)).toEqual(linesOfExport(before).slice(1));

    expect(await updater.update(domain.name, { updates: [remove(name, 'SRV')] })).toBe('NOERROR');
    await patch({ name, type: 'PTR', changetype: 'DELETE' });
    const rest = (await domain.records()).filter((record) => record.name === name);
    for (const { id } of rest) await answerOf(domain.delete(id), 200);
    expect(rest.map(({ type }) => type)).toEqual(['TXT']);
  });
});

it('4.3 makes records at such names in versions 1 and 2, SRV at services and wildcards only', async () => {
  const name = domain.at('a+b');
  const stored = domain.at(String.raw`a\043b`);
  expect(await domain.newRecord({ name, type: 'TXT', data: 'x' })).toMatchObject({ name: stored });
  const set = { name: domain.at(String.raw`\112\032q`), type: 'TXT', records: ['"x"'] };
  const made = await bodyOf(service.call('post', `/v2/zones/${domain.id}/recordsets`, set), 202);
  expect(made).toMatchObject({ name: domain.at(String.raw`p\032q`) });
  const srv = { type: 'SRV', data: '0 0 .', priority: 0 };
  await domain.newRecord({ ...srv, name: domain.at('*._tcp') });
  await answerOf(domain.create({ ...srv, name: domain.at('host') }), 400);
  await domain.import('host SRV 0 0 0 .\n');
  const replace = (label: string, ...records: readonly object[]) => {
    const changes = [{ action: 'replace', name: domain.at(label), type: 'SRV', records }];
    return service.call('post', `/v1/domains/${domain.id}/changes`, { changes });
  };
  const other = { data: '0 1 .', priority: 0 };
  for (const label of ['host', 'HOST', '_sip._tcp']) await answerOf(replace(label, other));
  await answerOf(replace('host'));
  expect((await answerOf(replace('host', other), 400)).body).toMatchObject({
    errors: [{ path: 'changes[0].name', validator: 'format' }],
  });
});

it('4.3 refuses hosts at such names wherever they come from', async () => {
  const faults = await domain.refuse('-a A 192.0.2.1\na.*.b AAAA ::1\na\\.b MX 1 mx\n');
  expect(faults.map((fault) => fault.slice(0, 3))).toEqual(['1:1', '2:1', '3:1']);
  expect(await updater.update(domain.name, { updates: [add(domain.at('-a'), 1, 'A', '192.0.2.1')] })).toBe('REFUSED');
  for (const label of ['-a', 'a.*', '**', String.raw`a\.b`])
    await answerOf(domain.create({ name: domain.at(label), type: 'A', data: '192.0.2.1' }), 400);
});
