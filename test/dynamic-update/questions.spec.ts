import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import type { Message } from '../../src/dns/message/message.js';
import { SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { typeCode, typeName } from '../../src/dns/rdata/type-names.js';
import { ask, queryOf, rcodeOf, transfer } from '../support/dns-client.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { add, startUpdateService, type UpdateService, type Updater } from '../support/updates.js';

let service: UpdateService;
let updater: Updater;
let domain: TestDomain;
beforeAll(async () => {
  service = await startUpdateService({ SERVICE_MDNS__ALLOW_QUERY: '127.0.0.2' });
  updater = await service.newUpdater();
  domain = await newDomain(service);
  const updates = [
    add(domain.at('www'), 300, 'A', '192.0.2.1'),
    add(domain.at('alias'), 300, 'CNAME', domain.at('www')),
    add(domain.at('a.b'), 300, 'TXT', '"deep"'),
    add(domain.at('*.w'), 300, 'A', '192.0.2.3'),
    add(domain.at('sub'), 300, 'NS', 'ns.example.net.'),
    add(domain.at('d'), 300, 'DNAME', 'example.net.'),
    ...Array.from({ length: 12 }, (_, at) => add(domain.at('long'), 300, 'TXT', `"${'x'.repeat(60)}${at}"`)),
  ];
  expect(await updater.update(domain.name, { updates })).toBe('NOERROR');
});
afterAll(() => service.stop());

/** `NXDOMAIN / SOA`, or the data that was found. */
function shown(message: Message): string {
  const { answers, authorities, header } = message;
  const data = answers.map(({ type, rdata }) => {
    const known = STANDARD_TYPES.find(({ code }) => code === type);
    return `${typeName(type)} ${known?.toText(rdata) ?? ''}`.trim();
  });
  const rest = authorities.map(({ type }) => typeName(type)).join(' ');
  const flags = header.isAuthoritative ? '' : ' not authoritative';
  return `${rcodeOf(message)}${flags} ${data.join(', ')} / ${rest}`.replaceAll(domain.name, '@');
}

const CASES: [string, string, string][] = [
  ['www', 'A', 'NOERROR A 192.0.2.1 / '],
  ['www', 'TXT', 'NOERROR  / SOA'],
  ['www', 'SOA', 'NOERROR  / SOA'],
  ['nowhere', 'SOA', 'NXDOMAIN  / SOA'],
  ['x.y.nowhere', 'A', 'NXDOMAIN  / SOA'],
  ['b', 'TXT', 'NOERROR  / SOA'],
  ['alias', 'A', 'NOERROR CNAME www.@ / '],
  ['foo.w', 'A', 'NOERROR A 192.0.2.3 / '],
  ['foo.w', 'TXT', 'NOERROR  / SOA'],
  ['x.sub', 'A', 'NOERROR not authoritative  / NS'],
  ['sub', 'DS', 'NOERROR  / SOA'],
  ['x.d', 'A', 'NOERROR DNAME example.net., CNAME x.example.net. / '],
  ['www', 'ANY', 'NOERROR A 192.0.2.1 / '],
];

describe('query permissions', () => {
  it.each(CASES)('20.7 with an update key gets %s %s: %s', async (label, type, expected) => {
    const code = type === 'ANY' ? MetaType.ANY : type === 'SOA' ? SOA.code : (typeCode(type) ?? 0);
    expect(shown(await updater.send(queryOf({ name: domain.at(label), type: code })))).toBe(expected);
  });

  it('20.7 by an address gets equal answers, and no zone transfer', async () => {
    const place = { ...service.dns, localAddress: '127.0.0.2' };
    expect(shown(await ask(place, { name: domain.at('nowhere'), type: SOA.code }))).toBe('NXDOMAIN  / SOA');
    expect(rcodeOf(await ask(place, { name: domain.name, type: SOA.code }))).toBe('NOERROR');
    const { messages } = await transfer(place, { name: domain.name, type: MetaType.AXFR });
    expect(messages.map(rcodeOf)).toEqual(['REFUSED']);
  });

  it('20.7 by an address gets no more than 512 octets in a datagram', async () => {
    const place = { ...service.dns, localAddress: '127.0.0.2' };
    const asked = { name: domain.at('long'), type: typeCode('TXT') ?? 0, edns: { udpPayloadSize: 4096 } };
    const { header, answers } = await ask(place, asked);
    expect([header.isTruncated, answers.length]).toEqual([true, 0]);
    expect((await updater.send(queryOf(asked))).answers).toHaveLength(12);
  });

  it('20.7 with an update key gets the zone', async () => {
    const { records } = await transfer(service.dns, { name: domain.name, type: MetaType.AXFR }, updater.key);
    expect(records.filter(({ type }) => type === typeCode('TXT'))).toHaveLength(13);
  });

  it('20.7 gets no answer about foreign zones', async () => {
    const foreign = await newDomain(service.as('tenant-b'));
    const scoped = await service.newUpdater({ domains: ['example.net.'] });
    for (const [who, name] of [
      [updater, foreign.name],
      [updater, 'nowhere.example.net.'],
      [scoped, domain.name],
    ] as const)
      expect(rcodeOf(await who.send(queryOf({ name, type: SOA.code })))).toBe('REFUSED');
    expect(rcodeOf(await ask(service.dns, { name: domain.name, type: SOA.code }))).toBe('REFUSED');
  });
});
