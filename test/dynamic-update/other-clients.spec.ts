import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import type { ResourceRecord } from '../../src/dns/message/message.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { queryOf, rcodeOf, transfer } from '../support/dns-client.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import {
  add,
  type Asked,
  exchange,
  exists,
  isFree,
  remove,
  startUpdateService,
  updateOf,
  type Updater,
  type UpdateService,
} from '../support/updates.js';

/*
 * Recorded messages of clients that do not run here: external-dns, cert-manager, ISC dhcpd, libdns, and the modes of
 * Kea 2.6.
 */

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

const at = (label: string): string => domain.at(label);
const update = (asked: Asked): Promise<string> => updater.update(domain.name, asked);

async function updateByTcp(asked: Asked): Promise<string> {
  const octets = updater.signed(updateOf(domain.name, asked));
  return rcodeOf(readMessage(await exchange(service.dns, octets, true)));
}

/** The records that were added: `www 300 A 192.0.2.1`. */
async function contents(): Promise<string[]> {
  const lines = linesOfExport(await domain.export()).map((line) => line.replaceAll(`.${domain.name}`, ''));
  return lines.filter((line) => !line.startsWith(domain.name)).sort();
}

describe('external-dns', () => {
  const OWNER = '"heritage=external-dns,external-dns/owner=default,external-dns/resource=ingress/default/web"';
  /** An endpoint, with the records by which it knows its own: of TTL 0, at the name and at one with the type in front. */
  const endpoint = (label: string, type: string, data: string): ResourceRecord[] => [
    add(at(label), 300, type, data),
    add(at(`${type.toLowerCase()}-${label}`), 0, 'TXT', OWNER),
  ];

  it('20.4, 20.7 creates endpoints with its own records, reads the zone, changes and deletes them', async () => {
    const created = [
      ...endpoint('web', 'A', '192.0.2.1'),
      ...endpoint('*.apps', 'A', '192.0.2.2'),
      ...endpoint('alias', 'CNAME', 'web.example.net.'),
    ];
    expect(await updateByTcp({ updates: created })).toBe('NOERROR');
    expect(await contents()).toEqual(
      [
        'web 300 A 192.0.2.1',
        '*.apps 300 A 192.0.2.2',
        'alias 300 CNAME web.example.net.',
        ...['a-web', 'a-*.apps', 'cname-alias'].map((name) => `${name} 0 TXT ${OWNER}`),
      ].sort(),
    );
    // All that it sees of the zone it has from here.
    const { records } = await transfer(service.dns, { name: domain.name, type: MetaType.AXFR }, updater.key);
    for (const one of created)
      expect(records).toContainEqual(expect.objectContaining({ owner: one.owner, type: one.type, ttl: one.ttl }));
    const changed = [remove(at('web'), 'A', '192.0.2.1'), add(at('web'), 300, 'A', '192.0.2.9')];
    expect(await updateByTcp({ updates: changed })).toBe('NOERROR');
    expect(await contents()).toContain('web 300 A 192.0.2.9');
    const deleted = [
      remove(at('web'), 'A', '192.0.2.9'),
      remove(at('a-web'), 'TXT', OWNER),
      remove(at('*.apps'), 'A', '192.0.2.2'),
      remove(at('a-*.apps'), 'TXT', OWNER),
      remove(at('alias'), 'CNAME', 'web.example.net.'),
      remove(at('cname-alias'), 'TXT', OWNER),
    ];
    expect(await updateByTcp({ updates: deleted })).toBe('NOERROR');
    expect(await contents()).toEqual([]);
  });

  it('20.7 has each message of a long transfer signed, as the library of Go wants it', async () => {
    const texts = (prefix: string): ResourceRecord[] =>
      Array.from({ length: 250 }, (_, number) => add(at(`${prefix}${number}`), 300, 'TXT', `"${'x'.repeat(200)}"`));
    for (const prefix of ['g', 'h']) expect(await updateByTcp({ updates: texts(prefix) })).toBe('NOERROR');
    const { messages } = await transfer(service.dns, { name: domain.name, type: MetaType.AXFR }, updater.key);
    expect(messages.length).toBeGreaterThan(1);
    for (const { tsig } of messages) expect(tsig).not.toBeNull();
  });

  it('20.2 gets NOTAUTH where it is not configured with its zones', async () => {
    expect(await updater.update('.', { updates: endpoint('web', 'A', '192.0.2.1') })).toBe('NOTAUTH');
  });
});

describe('cert-manager', () => {
  it('20.4 adds and removes one of two challenges, by UDP and TCP', async () => {
    const [name, mine, other] = [at('_acme-challenge.www'), '"mine"', '"other"'];
    expect(await update({ updates: [add(name, 60, 'TXT', other)] })).toBe('NOERROR');
    expect(await update({ updates: [add(name, 60, 'TXT', mine)] })).toBe('NOERROR');
    expect(await contents()).toEqual([`_acme-challenge.www 60 TXT ${mine}`, `_acme-challenge.www 60 TXT ${other}`]);
    expect(await updateByTcp({ updates: [remove(name, 'TXT', mine)] })).toBe('NOERROR');
    expect(await updateByTcp({ updates: [remove(name, 'TXT', mine)] })).toBe('NOERROR');
    expect(await contents()).toEqual([`_acme-challenge.www 60 TXT ${other}`]);
  });
});

/** DHCP servers by RFC 4703, and ISC dhcpd before it, with TXT instead of DHCID. */
describe.each([
  ['ISC dhcpd (interim)', 'TXT', ['"31one"', '"31another"']],
  ['Kea, check-with-dhcid', 'DHCID', ['AAEB', 'AAEC']],
] as const)('%s', (_, type, [mine, another]) => {
  const name = (): string => at('printer');

  /** Adds a lease in the two steps that this takes. */
  async function register(address: string, client: string): Promise<string> {
    const first = await update({
      prerequisites: [isFree(name())],
      updates: [add(name(), 300, 'A', address), add(name(), 300, type, client)],
    });
    if (first !== 'YXDOMAIN') return first;
    return update({
      prerequisites: [exists(name()), exists(name(), type, client)],
      updates: [remove(name(), 'A'), add(name(), 300, 'A', address)],
    });
  }

  async function unregister(address: string, client: string): Promise<string[]> {
    const own = exists(name(), type, client);
    const addressGone = await update({ prerequisites: [own], updates: [remove(name(), 'A', address)] });
    const prerequisites = [own, isFree(name(), 'A'), isFree(name(), 'AAAA')];
    return [addressGone, await update({ prerequisites, updates: [remove(name())] })];
  }

  it('20.3, 20.4 registers a lease, moves it, is kept from that of another client, and removes it', async () => {
    expect(await register('192.0.2.7', mine)).toBe('NOERROR');
    expect(await register('192.0.2.8', mine)).toBe('NOERROR');
    expect(await register('192.0.2.9', another)).toBe('NXRRSET');
    expect(await contents()).toEqual(['printer 300 A 192.0.2.8', `printer 300 ${type} ${mine}`].sort());
    // Set contents are compared last; both RCODEs mean that no change is needed.
    expect(await unregister('192.0.2.8', another)).toEqual(['NXRRSET', 'YXRRSET']);
    expect(await update({ updates: [add(name(), 300, 'AAAA', '2001:db8::7')] })).toBe('NOERROR');
    expect(await unregister('192.0.2.8', mine)).toEqual(['NOERROR', 'YXRRSET']);
    expect(await update({ updates: [remove(name(), 'AAAA', '2001:db8::7')] })).toBe('NOERROR');
    expect(await unregister('192.0.2.8', mine)).toEqual(['NOERROR', 'NOERROR']);
    expect(await contents()).toEqual([]);
  });

  it('20.3, 20.4 sets and removes the name of an address', async () => {
    const pointer = [add(name(), 300, 'PTR', 'printer.example.net.'), add(name(), 300, type, mine)];
    for (let time = 0; time < 2; time += 1)
      expect(await update({ updates: [remove(name(), 'PTR'), remove(name(), type), ...pointer] })).toBe('NOERROR');
    const prerequisites = [exists(name(), 'PTR', 'printer.example.net.')];
    expect(await update({ prerequisites, updates: [remove(name())] })).toBe('NOERROR');
    expect(await update({ prerequisites, updates: [remove(name())] })).toBe('NXRRSET');
    expect(await contents()).toEqual([]);
  });

  it('20.7 finds the zone by its SOA', async () => {
    const answer = await updater.send(queryOf({ name: domain.name, type: SOA.code }));
    expect([rcodeOf(answer), answer.answers[0]?.type, answer.header.isAuthoritative]).toEqual([
      'NOERROR',
      SOA.code,
      true,
    ]);
  });
});

describe('Kea 2.6', () => {
  const name = (): string => at('printer');

  it('20.3, 20.4 replaces records of any DHCP client, by check-exists-with-dhcid', async () => {
    const taking = (address: string, client: string): Asked => ({
      prerequisites: [exists(name()), exists(name(), 'DHCID')],
      updates: [
        remove(name(), 'A'),
        remove(name(), 'DHCID'),
        add(name(), 300, 'A', address),
        add(name(), 300, 'DHCID', client),
      ],
    });
    expect(await update(taking('192.0.2.7', 'AAEB'))).toBe('NXDOMAIN');
    expect(await update({ updates: [add(name(), 300, 'TXT', '"by hand"')] })).toBe('NOERROR');
    expect(await update(taking('192.0.2.7', 'AAEB'))).toBe('NXRRSET');
    expect(await update({ updates: [add(name(), 300, 'DHCID', 'AAEB')] })).toBe('NOERROR');
    expect(await update(taking('192.0.2.8', 'AAEC'))).toBe('NOERROR');
    expect(await contents()).toEqual([
      'printer 300 A 192.0.2.8',
      'printer 300 DHCID AAEC',
      'printer 300 TXT "by hand"',
    ]);
    const own = exists(name(), 'DHCID');
    expect(await update({ prerequisites: [own], updates: [remove(name(), 'A', '192.0.2.8')] })).toBe('NOERROR');
    const prerequisites = [own, isFree(name(), 'A'), isFree(name(), 'AAAA')];
    expect(await update({ prerequisites, updates: [remove(name(), 'DHCID')] })).toBe('NOERROR');
    expect(await contents()).toEqual(['printer 300 TXT "by hand"']);
  });

  it('20.4 sets and removes addresses without asking, by no-check-without-dhcid', async () => {
    for (const address of ['192.0.2.7', '192.0.2.8'])
      expect(await update({ updates: [remove(name(), 'A'), add(name(), 300, 'A', address)] })).toBe('NOERROR');
    expect(await contents()).toEqual(['printer 300 A 192.0.2.8']);
    expect(await update({ updates: [remove(name(), 'A', '192.0.2.8')] })).toBe('NOERROR');
    expect(await contents()).toEqual([]);
  });
});

describe('libdns, which Caddy has its records by', () => {
  it('20.4, 20.7 reads the zone, sets a set anew, and deletes single records', async () => {
    const updates = [
      remove(at('www'), 'A'),
      add(at('www'), 60, 'A', '192.0.2.1'),
      add(at('www'), 60, 'A', '192.0.2.2'),
    ];
    expect(await updateByTcp({ updates })).toBe('NOERROR');
    const { records } = await transfer(service.dns, { name: domain.name, type: MetaType.AXFR }, updater.key);
    expect(records.filter(({ owner }) => owner.toString() === at('www'))).toHaveLength(2);
    expect(await updateByTcp({ updates: [remove(at('www'), 'A', '192.0.2.1')] })).toBe('NOERROR');
    expect(await contents()).toEqual(['www 60 A 192.0.2.2']);
  });
});
