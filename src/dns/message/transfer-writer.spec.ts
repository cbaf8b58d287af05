import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { EXAMPLE_ORG } from '../../../test/support/master-file.js';
import { anyRecord, AXFR_QUERY, query, soaRecord } from '../../../test/support/messages.js';
import { KEY, NOW } from '../../../test/support/tsig.js';
import { DomainName } from '../name.js';
import { A } from '../rdata/address-types.js';
import { TXT } from '../rdata/text-types.js';
import { MetaType, RecordClass } from './codes.js';
import { readMessage, readRequest } from './message-reader.js';
import { KeySigner } from './tsig/message-signer.js';
import type { ResourceRecord } from './message.js';
import { TransferResponse } from './transfer-response.js';
import { type AnswerSection, MAX_TRANSFERRED_RDATA, TransferWriter } from './transfer-writer.js';

const REQUEST = readRequest(AXFR_QUERY);
const ADDRESS = A.parse('192.0.2.1', null);

describe('TransferWriter', () => {
  it('writes any records message by message, and reads them back unchanged', () => {
    fc.assert(
      fc.property(fc.array(anyRecord(), { maxLength: 60 }), fc.integer({ min: 600, max: 3_000 }), (records, size) => {
        const sections = written(records, new TransferWriter(EXAMPLE_ORG, size));
        const response = new TransferResponse(REQUEST, null);
        const read = sections.flatMap((section) => readMessage(response.datagram(section)).answers);
        expect(read.map(lineOf)).toEqual(records.map(lineOf));
      }),
      { numRuns: 100 },
    );
  });

  it('fills messages to 16 KiB, including the signature, and keeps no finished ones', () => {
    const writer = new TransferWriter(EXAMPLE_ORG);
    const response = new TransferResponse(REQUEST, new KeySigner(KEY, () => NOW, new Uint8Array(32)));
    const lengths = written(addresses(5_000), writer).map((section) => response.frame(section).length - 2);
    expect(lengths.length).toBeGreaterThan(5);
    for (const length of lengths) expect(length).toBeLessThanOrEqual(16 * 1024);
    for (const length of lengths.slice(0, -1)) expect(length).toBeGreaterThan(15.5 * 1024);
  });

  it('points only at names of equal case, within the reach of pointers (RFC 1035 §4.1.4)', () => {
    const writer = new TransferWriter(EXAMPLE_ORG, 60_000);
    const names = ['a.example.org.', 'A.example.org.', 'b.A.example.org.', 'a.example.org.', 'b.a.EXAMPLE.org.'];
    const filling = Array.from({ length: 90 }, (_, at) =>
      recordOf(`x${at}.example.org.`, TXT.code, new Uint8Array(200)),
    );
    const records = [
      ...names.map(address),
      ...filling,
      ...names.map(address),
      address('new.example.org.'),
      address('new.example.org.'),
    ];
    const [section] = written(records, writer);
    const { answers } = readMessage(new TransferResponse(REQUEST, null).datagram(section!));
    expect(answers.map(lineOf)).toEqual(records.map(lineOf));
    expect(section!.octets.length).toBeLessThan(21_000);
  });

  it('points at the owner before, where one has several records', () => {
    const owner = DomainName.parse('www.example.org.');
    const records = Array.from({ length: 10 }, () => ({ ...address('www.example.org.'), owner }));
    const [section] = written(records, new TransferWriter(EXAMPLE_ORG));
    expect(section!.octets.length).toBe(owner.wire.length + 14 + 9 * 16);
  });

  it('gives one long record a separate message', () => {
    const records = [
      address('a.example.org.'),
      recordOf('b.example.org.', 65280, new Uint8Array(MAX_TRANSFERRED_RDATA)),
      address('c.example.org.'),
    ];
    const sections = written(records, new TransferWriter(EXAMPLE_ORG));
    expect(sections.map(({ count }) => count)).toEqual([1, 1, 1]);
    const response = new TransferResponse(REQUEST, new KeySigner(KEY, () => NOW, new Uint8Array(32)));
    const read = sections.flatMap((section) => readMessage(response.datagram(section)).answers);
    expect(read.map(lineOf)).toEqual(records.map(lineOf));
  });

  it('sends the longest record under the longest names', () => {
    const longest = DomainName.parse(`${`${'x'.repeat(63)}.`.repeat(3)}${'x'.repeat(61)}.`);
    expect(longest.wire.length).toBe(255);
    const writer = new TransferWriter(longest);
    const other = DomainName.parse(`${`${'y'.repeat(63)}.`.repeat(3)}${'y'.repeat(61)}.`);
    writer.add(other, 65280, 1, new Uint8Array(MAX_TRANSFERRED_RDATA));
    const request = readRequest(query(MetaType.AXFR, {}, longest));
    const signer = new KeySigner({ ...KEY, name: longest, algorithm: 'hmac-sha512' }, () => NOW, new Uint8Array(64));
    const edns = {
      udpPayloadSize: 1232,
      version: 0,
      isDnssecOk: false,
      options: [{ code: 10, data: new Uint8Array(40) }],
    };
    const octets = new TransferResponse(request, signer, edns).datagram(writer.finish());
    expect(octets.length).toBeLessThanOrEqual(0xffff);
    expect(readMessage(octets).answers).toHaveLength(1);
  });

  it('refuses RDATA that no message has room for', () => {
    const writer = new TransferWriter(EXAMPLE_ORG);
    const rdata = new Uint8Array(MAX_TRANSFERRED_RDATA + 1);
    expect(() => writer.add(EXAMPLE_ORG, 65280, 1, rdata)).toThrow(RangeError);
  });

  it('begins another transfer after the last section', () => {
    const writer = new TransferWriter(EXAMPLE_ORG);
    const first = written([soaRecord(1)], writer);
    const second = written([soaRecord(1)], writer);
    expect(second).toEqual(first);
  });
});

describe('TransferResponse', () => {
  const sections = written(addresses(2_000), new TransferWriter(EXAMPLE_ORG));
  const edns = { udpPayloadSize: 1232, version: 0, isDnssecOk: true, options: [] };

  it('12.10 pads each message to a multiple of 468 octets, and none above the limit (RFC 9103 §9)', () => {
    const padding = new TransferResponse(readRequest(query(MetaType.AXFR, { edns })), null, edns, true);
    const messages = sections.map((section) => padding.datagram(section));
    for (const octets of messages) {
      expect(octets.length % 468).toBe(0);
      expect(readMessage(octets).edns?.options[0]?.code).toBe(12);
    }
    const writer = new TransferWriter(EXAMPLE_ORG);
    writer.add(EXAMPLE_ORG, 65280, 1, new Uint8Array(MAX_TRANSFERRED_RDATA));
    const signer = new KeySigner(KEY, () => NOW, new Uint8Array(32));
    const full = new TransferResponse(readRequest(query(MetaType.AXFR, { edns })), signer, edns, true);
    expect(full.datagram(writer.finish()).length).toBeLessThanOrEqual(0xffff);
  });

  it('has the id, the question in its original case, and AA; question and EDNS in the first message (RFC 5936 §2.2)', () => {
    const spelled = DomainName.parse('EXAMPLE.org.');
    const request = readRequest(query(MetaType.AXFR, { edns }, spelled));
    const response = new TransferResponse(request, null, edns);
    const messages = sections.map((section) => readMessage(response.datagram(section)));
    expect(messages.length).toBeGreaterThan(1);
    messages.forEach(({ header, questions, edns: said }, at) => {
      expect(header).toMatchObject({ id: 4711, isResponse: true, isAuthoritative: true, isTruncated: false, rcode: 0 });
      expect(questions.map(({ name }) => name.toString())).toEqual(at === 0 ? ['EXAMPLE.org.'] : []);
      expect(said).toEqual(at === 0 ? edns : null);
    });
    expect(messages[0]!.answers[0]!.owner.toString()).toBe('host0.example.org.');
  });

  it('answers IXFR with the AXFR rendering', () => {
    const request = readRequest(query(MetaType.IXFR, { authorities: [soaRecord(1)] }));
    const [message] = sections.map((section) => readMessage(new TransferResponse(request, null).datagram(section)));
    expect(message!.questions).toEqual([{ name: EXAMPLE_ORG, type: MetaType.IXFR, class: RecordClass.IN }]);
  });

  it('puts the length in front for TCP', () => {
    const frame = new TransferResponse(REQUEST, null).frame(sections[0]!);
    expect(frame.readUInt16BE()).toBe(frame.length - 2);
  });

  it('refuses the first section of a zone with a longer name', () => {
    const request = readRequest(query(MetaType.AXFR, {}, DomainName.parse('org.')));
    expect(() => new TransferResponse(request, null).frame(sections[0]!)).toThrow(RangeError);
  });
});

function written(records: readonly ResourceRecord[], writer: TransferWriter): AnswerSection[] {
  const full = records.flatMap(({ owner, type, ttl, rdata }) => writer.add(owner, type, ttl, rdata) ?? []);
  return [...full, writer.finish()];
}

function addresses(count: number): ResourceRecord[] {
  return Array.from({ length: count }, (_, at) => address(`host${at}.example.org.`));
}

function address(owner: string): ResourceRecord {
  return recordOf(owner, A.code, ADDRESS);
}

function recordOf(owner: string, type: number, rdata: Uint8Array): ResourceRecord {
  return { owner: DomainName.parse(owner), type, class: RecordClass.IN, ttl: 300, rdata };
}

function lineOf({ owner, type, ttl, rdata }: ResourceRecord): string {
  return `${owner.toString()} ${type} ${ttl} ${Buffer.from(rdata).toString('hex')}`;
}
