import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { requestHeader } from '../../src/dns/message/header.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { writeMessage } from '../../src/dns/message/message-writer.js';
import { Opcode, Rcode } from '../../src/dns/message/codes.js';
import { DomainName } from '../../src/dns/name.js';
import { DnsConnection, rcodeOf, unixTime } from '../support/dns-client.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { KEY, tsigKey } from '../support/name-server.js';
import { executeIn } from '../support/stored.js';
import {
  add,
  exchange,
  exists,
  isFree,
  remove,
  startUpdateService,
  updateOf,
  Updater,
  type UpdateService,
} from '../support/updates.js';

const CONFIGURED = `${KEY.name}:${KEY.algorithm}:${Buffer.from(KEY.secret).toString('base64')}`;
const TEN_MINUTES = 600;

let service: UpdateService;
let updater: Updater;
let domain: TestDomain;
beforeAll(async () => {
  service = await startUpdateService({
    SERVICE_MDNS__TSIG_KEYS: CONFIGURED,
    SERVICE_MDNS__ALLOW_TRANSFER: `127.0.0.0/8@${KEY.name}`,
    DEFAULT__QUOTA_ZONE_RECORDS: '2500',
    DEFAULT__QUOTA_ZONE_RECORDSETS: '2500',
  });
  updater = await service.newUpdater();
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});

/** `count` addresses, each at a different name. */
const many = (count: number) =>
  Array.from({ length: count }, (_, at) => add(domain.at(`h${at}`), 60, 'A', '192.0.2.1'));

describe('an UPDATE', () => {
  it('20.2 without a signature is REFUSED for any name, in fewer octets', async () => {
    for (const zone of [domain.name, 'nowhere.example.net.']) {
      const message = updateOf(zone, { updates: [add(`www.${zone}`, 60, 'A', '192.0.2.1')] });
      for (const isTcp of [false, true]) {
        const answer = await exchange(service.dns, message, isTcp);
        expect(rcodeOf(readMessage(answer))).toBe('REFUSED');
        expect(answer.length).toBeLessThan(message.length);
      }
    }
    expect(await domain.records()).toEqual([]);
  });

  it('20.2 that is signed badly is NOTAUTH with the reason, in no more octets', async () => {
    const message = updateOf(domain.name, { updates: [add(domain.at('www'), 60, 'A', '192.0.2.1')] });
    const { key } = updater;
    const bad: [Updater, number][] = [
      [new Updater(service.dns, { ...key, name: DomainName.parse('unknown.') }), Rcode.BADKEY],
      [new Updater(service.dns, { ...key, algorithm: 'hmac-sha512' }), Rcode.BADKEY],
      [new Updater(service.dns, { ...key, secret: Buffer.alloc(32) }), Rcode.BADSIG],
      [new Updater(service.dns, key, () => unixTime() - TEN_MINUTES), Rcode.BADTIME],
      [new Updater(service.dns, key, () => unixTime() + TEN_MINUTES), Rcode.BADTIME],
    ];
    for (const [other, code] of bad) {
      await expect(other.send(message)).rejects.toMatchObject({ code });
      const signed = other.signed(message);
      expect((await exchange(service.dns, signed)).length).toBeLessThanOrEqual(signed.length);
    }
    expect(await domain.records()).toEqual([]);
  });

  it('20.2, 20.8 that is signed by a key of the configuration is REFUSED', async () => {
    const secondary = new Updater(service.dns, tsigKey());
    expect(await secondary.update(domain.name, { updates: many(1) })).toBe('REFUSED');
  });

  it('20.2 of a zone that its tenant does not have is NOTAUTH, whether it exists or not', async () => {
    const foreign = await newDomain(service.as('tenant-b'));
    const parent = domain.name.replace(/^[^.]+\./, '');
    for (const zone of [foreign.name, domain.at('child'), parent, 'nowhere.example.net.', '.'])
      expect(await updater.update(zone, { updates: [add(`x.${zone}`.replace('..', '.'), 1, 'A', '192.0.2.1')] })).toBe(
        'NOTAUTH',
      );
    expect(await foreign.records()).toEqual([]);
  });

  it.each<[string, Parameters<typeof writeMessage>[0]['questions'] & object]>([
    ['without a zone', []],
    ['of two zones', ['a.', 'b.'].map((name) => ({ name: DomainName.parse(name), type: 6, class: 1 }))],
    ['of no SOA', [{ name: DomainName.parse('a.'), type: 1, class: 1 }]],
  ])('20.2 %s is FORMERR, and signed', async (_, questions) => {
    const message = writeMessage({ header: requestHeader(1, Opcode.UPDATE), questions });
    expect(rcodeOf(await updater.send(message))).toBe('FORMERR');
  });

  it('20.2 (attack case 12) is all of it or nothing, where a quota is full as well', async () => {
    expect(await updater.update(domain.name, { updates: many(100) })).toBe('NOERROR');
    const updates = [
      remove(domain.at('h0')),
      ...many(1700).map((one, at) => ({ ...one, owner: DomainName.parse(domain.at(`g${at}`)) })),
    ];
    expect(await updater.update(domain.name, { updates })).toBe('NOERROR');
    const { serial } = await domain.now();
    const more = many(1000).map((one, at) => ({ ...one, owner: DomainName.parse(domain.at(`f${at}`)) }));
    expect(await updater.update(domain.name, { updates: more })).toBe('REFUSED');
    expect(await domain.now()).toMatchObject({ serial });
    expect(await domain.records()).toHaveLength(1799);
  });

  it('20.2, 20.6 is SERVFAIL while the database cannot take it, and is then taken as if it came first', async () => {
    const message = updater.signed(updateOf(domain.name, { updates: many(1) }));
    // Silences the expected errors in the log.
    Logger.overrideLogger(false);
    executeIn(service.databaseFile, 'ALTER TABLE records RENAME TO records_away');
    try {
      expect(rcodeOf(readMessage(await exchange(service.dns, message)))).toBe('SERVFAIL');
    } finally {
      executeIn(service.databaseFile, 'ALTER TABLE records_away RENAME TO records');
      Logger.overrideLogger(['error']);
    }
    expect(rcodeOf(readMessage(await exchange(service.dns, message)))).toBe('NOERROR');
    expect(await domain.records()).toHaveLength(1);
  });

  it('20.1 of 64 KiB is one change by TCP, and so is its deletion', async () => {
    const { serial } = await domain.now();
    expect(await updater.update(domain.name, { updates: many(1700) })).toBe('NOERROR');
    expect(await domain.records()).toHaveLength(1700);
    const free = many(1700).map(({ owner }) => exists(owner.toString()));
    expect(await updater.update(domain.name, { prerequisites: free })).toBe('NOERROR');
    const updates = many(1700).map(({ owner }) => remove(owner.toString()));
    expect(await updater.update(domain.name, { updates })).toBe('NOERROR');
    expect(await domain.records()).toEqual([]);
    expect((await domain.now()).serial).toBeGreaterThan(serial);
  });

  it('20.1 runs concurrently with others on one connection', async () => {
    const connection = await DnsConnection.open(service.dns);
    const messages = many(20).map((one, id) =>
      updater.signed(updateOf(domain.name, { updates: [one] }, { header: requestHeader(id, Opcode.UPDATE) })),
    );
    connection.send(...messages);
    const answers = await Promise.all(messages.map(() => connection.nextMessage()));
    connection.close();
    expect(answers.map(rcodeOf)).toEqual(messages.map(() => 'NOERROR'));
    expect(new Set(answers.map(({ header }) => header.id)).size).toBe(20);
    expect(await domain.records()).toHaveLength(20);
  });

  it('20.3 (attack case 9) is won by one of many that ask for a free name', async () => {
    const asked = (at: number) => ({
      prerequisites: [isFree(domain.at('lease'))],
      updates: [add(domain.at('lease'), 60, 'A', `192.0.2.${at}`)],
    });
    const answers = await Promise.all(Array.from({ length: 16 }, (_, at) => updater.update(domain.name, asked(at))));
    expect(answers.sort()).toEqual(['NOERROR', ...Array<string>(15).fill('YXDOMAIN')]);
    expect(await domain.records()).toHaveLength(1);
  });
});
