import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MetaType, RecordClass, Opcode } from '../../src/dns/message/codes.js';
import { requestHeader } from '../../src/dns/message/header.js';
import type { Message } from '../../src/dns/message/message.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import type { MessageContent } from '../../src/dns/message/message-writer.js';
import { tsigOctets, type TsigRecord } from '../../src/dns/message/tsig/tsig-record.js';
import { DomainName } from '../../src/dns/name.js';
import { DnsConnection, queryOf, rcodeOf, transfer } from '../support/dns-client.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService } from '../support/service.js';
import { add, exchange, startUpdateService, updateOf, type Updater, type UpdateService } from '../support/updates.js';

const ADDITIONAL_COUNT_AT = 10;
/** Offsets of the low octets of class and TTL after the owner name. */
const [CLASS_AT, TTL_AT] = [3, 7];
const TKEY = 249;
const LARGEST_DATAGRAM = 65_507;

let service: UpdateService;
let updater: Updater;
let domain: TestDomain;
beforeAll(async () => {
  service = await startUpdateService({
    DEFAULT__QUOTA_ZONE_RECORDS: '5000',
    DEFAULT__QUOTA_ZONE_RECORDSETS: '5000',
    DEFAULT__QUOTA_RECORDSET_RECORDS: '5000',
  });
  updater = await service.newUpdater();
  domain = await newDomain(service);
});
afterAll(() => service.stop());

const sent = async (octets: Uint8Array, isTcp = false): Promise<Message> =>
  readMessage(await exchange(service.dns, octets, isTcp));

/** A message that adds an address, without its signature. */
const addition = (label: string, content: Partial<MessageContent> = {}): Buffer =>
  updateOf(domain.name, { updates: [add(domain.at(label), 60, 'A', '192.0.2.1')] }, content);

/** The same octets with one more record at their end. */
function extended(message: Uint8Array, record: Uint8Array): Buffer {
  const octets = Buffer.concat([message, record]);
  octets.writeUInt16BE(octets.readUInt16BE(ADDITIONAL_COUNT_AT) + 1, ADDITIONAL_COUNT_AT);
  return octets;
}

/** Truncates the MAC to `octets` octets; the message has no other additional record. */
function withShortMac(signed: Buffer, octets: number): Buffer {
  const tsig = signatureOf(signed);
  const unsigned = Buffer.from(signed.subarray(0, tsig.start));
  unsigned.writeUInt16BE(0, ADDITIONAL_COUNT_AT);
  return extended(unsigned, tsigOctets({ ...tsig, mac: tsig.mac.subarray(0, octets) }));
}

/** With one octet of its TSIG record changed, counted from the end of the owner's name. */
function withTsigOctet(signed: Buffer, at: number, value: number): Buffer {
  const { start, keyName } = signatureOf(signed);
  const octets = Buffer.from(signed);
  octets.writeUInt8(value, start + keyName.wire.length + at);
  return octets;
}

function signatureOf(signed: Uint8Array): TsigRecord {
  const { tsig } = readMessage(signed);
  if (tsig === null) throw new Error('the message is not signed');
  return tsig;
}

describe('UPDATE messages', () => {
  it('20.2 ignore flags, RCODE and additional section', async () => {
    const header = {
      ...requestHeader(7, Opcode.UPDATE),
      ...{ rcode: 5, isAuthoritative: true, isTruncated: true, isRecursionDesired: true, isCheckingDisabled: true },
    };
    const additionals = [add('elsewhere.example.net.', 60, 'A', '192.0.2.9')];
    const answer = await updater.send(addition('flags', { header, additionals }));
    expect([rcodeOf(answer), answer.header.id, answer.header.opcode]).toEqual(['NOERROR', 7, Opcode.UPDATE]);
    expect(answer.header).toMatchObject({ isAuthoritative: false, isTruncated: false });
  });

  it('20.2 with QR set get no response', async () => {
    const header = { ...requestHeader(1, Opcode.UPDATE), isResponse: true };
    const connection = await DnsConnection.open(service.dns);
    connection.send(updater.signed(addition('response', { header })));
    expect(await connection.next()).toBeNull();
    expect((await domain.records()).map(({ name }) => name)).not.toContain(domain.at('response'));
  });

  it.each<[string, (signed: Buffer) => Buffer]>([
    ['that are cut off', (signed) => signed.subarray(0, -1)],
    ['with octets behind them', (signed) => Buffer.concat([signed, Buffer.of(0)])],
    ['that have two signatures', (signed) => extended(signed, tsigOctets(signatureOf(signed)))],
    [
      'whose signature is not the last record',
      (signed) => extended(signed, Buffer.from([0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 192, 0, 2, 1])),
    ],
    ['whose MAC is less than half of one', (signed) => withShortMac(signed, 15)],
    ['whose signature has another class', (signed) => withTsigOctet(signed, CLASS_AT, 1)],
    ['whose signature has a TTL', (signed) => withTsigOctet(signed, TTL_AT, 1)],
    ['that count more records than they have', (signed) => counting(signed, 6, 1)],
    ['that are a header alone', (signed) => signed.subarray(0, 12)],
  ])('20.2 %s are FORMERR', async (_, damage) => {
    const signed = updater.signed(addition('damaged'));
    for (const isTcp of [false, true]) expect(rcodeOf(await sent(damage(signed), isTcp))).toBe('FORMERR');
  });

  it('20.2 whose MAC is cut are NOTAUTH', async () => {
    const answer = await sent(withShortMac(updater.signed(addition('cut')), 20));
    expect([rcodeOf(answer), answer.tsig?.error]).toEqual(['NOTAUTH', 22]);
  });

  it('20.2 with an id changed by a relay count as signed', async () => {
    const signed = updater.signed(addition('relayed', { header: requestHeader(1, Opcode.UPDATE) }));
    signed.writeUInt16BE(2, 0);
    const answer = await sent(signed);
    expect([rcodeOf(answer), answer.header.id]).toEqual(['NOERROR', 2]);
  });

  it('20.2 of another class are of a zone that is not there', async () => {
    const questions = [{ name: DomainName.parse(domain.name), type: 6, class: RecordClass.CH }];
    expect(rcodeOf(await updater.send(addition('class', { questions })))).toBe('NOTAUTH');
  });

  it('20.2 with a later version of EDNS are BADVERS', async () => {
    const edns = { udpPayloadSize: 1232, version: 1, isDnssecOk: false, options: [] };
    expect(rcodeOf(await sent(updater.signed(addition('edns', { edns }))))).toBe('BADVERS');
  });

  it('20.2 that are refused get a response no larger than themselves, with any EDNS options', async () => {
    const options = [{ code: 10, data: Buffer.alloc(8, 1) }];
    const edns = { udpPayloadSize: 1232, version: 0, isDnssecOk: true, options };
    const questions = [{ name: DomainName.ROOT, type: 6, class: RecordClass.IN }];
    const message = updateOf('.', {}, { questions, edns });
    const answer = await exchange(service.dns, message);
    expect(rcodeOf(readMessage(answer))).toBe('REFUSED');
    expect(answer.length).toBeLessThanOrEqual(message.length);
  });

  it('20.1 may fill a datagram', async () => {
    // 32 octets each.
    const labels = Array.from({ length: 2040 }, (_, at) => `${'x'.repeat(10)}${10_000 + at}`);
    const updates = labels.map((label) => add(domain.at(label), 60, 'A', '192.0.2.1'));
    const message = updater.signed(updateOf(domain.name, { updates }));
    expect(message.length).toBeGreaterThan(0.99 * LARGEST_DATAGRAM);
    expect(message.length).toBeLessThanOrEqual(LARGEST_DATAGRAM);
    expect(rcodeOf(await sent(message))).toBe('NOERROR');
    expect((await domain.records()).filter(({ name }) => name.startsWith('xxx'))).toHaveLength(2040);
  });

  it('20.1 (attack case 5) fill a record set up to its maximum size, and no further', async () => {
    const texts = (from: number, count: number) =>
      Array.from({ length: count }, (_, at) => add(domain.at('set'), 60, 'TXT', `"${'x'.repeat(240)}${from + at}"`));
    expect(await updater.update(domain.name, { updates: texts(100, 220) })).toBe('NOERROR');
    const { serial } = await domain.now();
    expect(await updater.update(domain.name, { updates: texts(400, 100) })).toBe('REFUSED');
    expect(await domain.now()).toMatchObject({ serial });
    const { records } = await transfer(service.dns, { name: domain.name, type: MetaType.AXFR }, updater.key);
    expect(records.filter(({ owner }) => owner.toString() === domain.at('set'))).toHaveLength(220);
  });

  it('20.1 ask for no key by TKEY', async () => {
    const asked = queryOf({ name: 'key.example.net.', type: TKEY, class: RecordClass.ANY });
    expect(rcodeOf(await sent(asked))).toBe('REFUSED');
    expect(rcodeOf(await updater.send(asked))).toBe('REFUSED');
  });
});

/** With another count in the header. */
function counting(message: Buffer, at: number, more: number): Buffer {
  const octets = Buffer.from(message);
  octets.writeUInt16BE(octets.readUInt16BE(at) + more, at);
  return octets;
}

it('20.1 UPDATE is NOTIMP unless it is served', async () => {
  const other = await startTestService({ SERVICE_MDNS__ENABLED: 'True', SERVICE_MDNS__LISTEN: '127.0.0.1:0' });
  try {
    const place = { port: Number(new URL(other.running.dnsUrl ?? '').port) };
    expect(rcodeOf(readMessage(await exchange(place, updater.signed(addition('nowhere')))))).toBe('NOTIMP');
  } finally {
    await other.stop();
  }
});
