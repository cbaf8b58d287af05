import { describe, expect, it } from '@jest/globals';
import { type Answer, decode, encode } from 'dns-packet';
import fc from 'fast-check';

import { EXAMPLE_ORG } from '../../../test/support/master-file.js';
import { anyMessage, comparable, plainName } from '../../../test/support/messages.js';
import { DomainName } from '../name.js';
import { A, AAAA } from '../rdata/address-types.js';
import { CNAME, NS } from '../rdata/name-types.js';
import type { RecordType } from '../rdata/index.js';
import { MX, SRV } from '../rdata/service-types.js';
import { SOA } from '../rdata/soa.js';
import { TXT } from '../rdata/text-types.js';
import { RecordClass, Opcode, Rcode } from './codes.js';
import { type MessageContent, writeMessage } from './message-writer.js';
import { requestHeader, responseHeader } from './header.js';
import { readMessage } from './message-reader.js';
import type { ResourceRecord } from './message.js';

/** Types that dns-packet reads and writes right, as long as no label has a dot in it. */
const SHARED_TYPES = [A, AAAA, CNAME, MX, NS, SOA, SRV, TXT];

const WWW = DomainName.parse('www.example.org.');

const RESPONSE: MessageContent = {
  header: responseHeader({ ...requestHeader(4711, Opcode.QUERY), isRecursionDesired: true }, Rcode.NXDOMAIN),
  questions: [{ name: WWW, type: A.code, class: RecordClass.IN }],
  answers: [
    recordOf(WWW, A, '192.0.2.1'),
    recordOf(WWW, AAAA, '2001:db8::1'),
    recordOf(EXAMPLE_ORG, MX, 'mail.example.org.', 10),
    recordOf(EXAMPLE_ORG, NS, 'ns1.example.org.'),
    recordOf(DomainName.parse('alias.example.org.'), CNAME, 'www.example.org.'),
    recordOf(DomainName.parse('_sip._tcp.example.org.'), SRV, '5 5060 sip.example.org.', 10),
  ],
  authorities: [recordOf(EXAMPLE_ORG, SOA, 'ns1.example.org. admin.example.org. 7 3600 600 86400 300')],
  additionals: [recordOf(EXAMPLE_ORG, TXT, '"a" "b"')],
};

const DECODED = {
  id: 4711,
  type: 'response',
  opcode: 'QUERY',
  rcode: 'NXDOMAIN',
  flag_aa: true,
  flag_rd: true,
  flag_ra: false,
  flag_tc: false,
  questions: [{ name: 'www.example.org', type: 'A', class: 'IN' }],
  answers: [
    { name: 'www.example.org', type: 'A', data: '192.0.2.1' },
    { name: 'www.example.org', type: 'AAAA', data: '2001:db8::1' },
    { name: 'example.org', type: 'MX', data: { preference: 10, exchange: 'mail.example.org' } },
    { name: 'example.org', type: 'NS', data: 'ns1.example.org' },
    { name: 'alias.example.org', type: 'CNAME', data: 'www.example.org' },
    {
      name: '_sip._tcp.example.org',
      type: 'SRV',
      data: { priority: 10, weight: 5, port: 5060, target: 'sip.example.org' },
    },
  ],
  authorities: [
    {
      name: 'example.org',
      type: 'SOA',
      data: {
        mname: 'ns1.example.org',
        rname: 'admin.example.org',
        serial: 7,
        refresh: 3600,
        retry: 600,
        expire: 86400,
        minimum: 300,
      },
    },
  ],
  additionals: [{ name: 'example.org', type: 'TXT', data: [Buffer.from('a'), Buffer.from('b')] }],
};

/** Decoded and encoded by another hand. */
describe('dns-packet', () => {
  it('reads messages of Zonewright', () => {
    expect(decode(writeMessage(RESPONSE))).toMatchObject(DECODED);
  });

  it('reads EDNS as we write it, with the whole RCODE', () => {
    const edns = {
      udpPayloadSize: 1232,
      version: 0,
      isDnssecOk: true,
      options: [{ code: 10, data: Buffer.from('0123456789abcdef', 'hex') }],
    };
    const octets = writeMessage({ header: responseHeader(requestHeader(1, Opcode.QUERY), Rcode.BADVERS), edns });
    expect(decode(octets).additionals).toMatchObject([
      { type: 'OPT', name: '.', udpPayloadSize: 1232, extendedRcode: 1, ednsVersion: 0, flag_do: true },
    ]);
    expect(readMessage(octets)).toMatchObject({ header: { rcode: Rcode.BADVERS }, edns });
  });

  it('writes messages for Zonewright', () => {
    const octets = encode({
      type: 'response',
      id: 4711,
      flags: decode(writeMessage(RESPONSE)).flags ?? 0,
      questions: [{ name: 'www.example.org', type: 'A', class: 'IN' }],
      answers: asAnswers(DECODED.answers),
      authorities: asAnswers(DECODED.authorities),
      additionals: asAnswers(DECODED.additionals),
    });
    expect(comparable(readMessage(octets))).toEqual(comparable(RESPONSE));
  });

  it('reads messages with names in all places, and writes them for us to read', () => {
    fc.assert(
      fc.property(anyMessage(SHARED_TYPES, plainName()).filter(hasPlainNames), (content) => {
        const message = { ...content, edns: null, questions: [], header: RESPONSE.header };
        const decoded = decode(writeMessage(message));
        expect(comparable(readMessage(encode(decoded)))).toEqual(comparable(message));
      }),
      { numRuns: 300 },
    );
  });
});

function recordOf(owner: DomainName, type: RecordType, data: string, priority: number | null = null): ResourceRecord {
  return { owner, type: type.code, class: RecordClass.IN, ttl: 300, rdata: type.parse(data, priority) };
}

function asAnswers(answers: readonly object[]): Answer[] {
  // The expectations have the form that the types of dns-packet ask for, which literals lose in between.
  return answers.map((answer) => ({ ...answer, ttl: 300, class: 'IN' }) as Answer);
}

/** dns-packet joins labels with dots and takes their octets for UTF-8. */
function hasPlainNames({ answers, authorities, additionals }: Required<MessageContent>): boolean {
  const soas = [...answers, ...authorities, ...additionals].filter(({ type }) => type === SOA.code);
  return soas.every(({ rdata }) => rdata.every((octet) => octet !== 0x2e && octet < 0x80));
}
