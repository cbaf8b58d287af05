import { describe, expect, it } from '@jest/globals';

import { EXAMPLE_ORG } from '../../../test/support/master-file.js';
import { query, soaRecord } from '../../../test/support/messages.js';
import { DomainName } from '../name.js';
import { MetaType, RecordClass, Opcode, Rcode } from './codes.js';
import type { Edns } from './edns.js';
import { requestHeader, responseHeader } from './header.js';
import { MessageError } from './message.js';
import { clientSerial, readMessage, readRequest } from './message-reader.js';
import { writeMessage } from './message-writer.js';

const EDNS: Edns = { udpPayloadSize: 1232, version: 0, isDnssecOk: false, options: [] };
const SOA_QUERY = query(6);

/** The query type in otherwise minimal messages. */
const A = '0001';
const IN = '0001';
/** Where the name of the question stands. */
const QUESTION_NAME = 'c00c';

describe('readMessage', () => {
  it.each<readonly [string, string, string]>([
    ['the octets end in the header', '1234000000010000000000', 'the header is cut off'],
    ['a question is missing', message([1]), 'a name is cut off'],
    ['the type of the question is missing', message([1], '00'), 'the octets end too early'],
    ['a name has no end', message([1], '0161'), 'a name is cut off'],
    ['a label has more octets than there are', message([1], '0561'), 'a name is cut off'],
    ['a label has an unknown type', message([1], `416100${A}${IN}`), 'a label has an unknown type'],
    ['a label has an extended type', message([1], `8100${A}${IN}`), 'a label has an unknown type'],
    ['a name is longer than 255 octets', message([1], `${longName(128)}${A}${IN}`), 'longer than 255'],
    ['a pointer is cut off', message([1], 'c0'), 'a pointer is cut off'],
    ['a pointer leads into the header', message([1], `c00b${A}${IN}`), 'a pointer leads into the header'],
    ['a pointer leads to the first octet', message([1], `c000${A}${IN}`), 'a pointer leads into the header'],
    ['a pointer leads to itself', message([1], `c00c${A}${IN}`), 'does not lead backwards'],
    ['a pointer leads into its own name', message([1], `0161c00c${A}${IN}`), 'does not lead backwards'],
    ['a pointer leads forwards', message([2], `c012${A}${IN}00${A}${IN}`), 'does not lead backwards'],
    ['pointers lead to each other', message([2], `c012${A}${IN}c00c${A}${IN}`), 'does not lead backwards'],
    ['a compressed name is too long', message([2], `${longName(127)}${A}${IN}0161c00c${A}${IN}`), 'longer than 255'],
    ['the octets end in a record', message([0, 1], `00${A}${IN}0000012c00`), 'the octets end too early'],
    ['RDATA is shorter than it says', message([0, 1], record(A, '0005', 'c0000201')), 'the octets end too early'],
    ['RDATA is too short for its type', message([0, 1], record(A, '0003', 'c00002')), 'the octets end too early'],
    ['RDATA is too long for its type', message([0, 1], record(A, '0005', 'c000020101')), '1 octets too many'],
    ['a name ends behind its RDATA', message([0, 1], record('0002', '0002', '0161')), 'a name is cut off'],
    ['RDATA has more than its name', message([0, 1], record('0002', '0002', '0000')), '1 octets too many'],
    [
      'RDATA has a compressed name where none may be',
      message([1, 1], `00${A}${IN}${record('0040', '0004', `0001${QUESTION_NAME}`)}`),
      'the domain name is compressed',
    ],
    [
      'a DNAME has a compressed target',
      message([1, 1], `00${A}${IN}${record('0027', '0002', QUESTION_NAME)}`),
      'the domain name is compressed',
    ],
    ['a record follows that was not announced', message([0, 0], record(A, '0004', 'c0000201')), '15 octets too many'],
    ['65,535 answers are announced', message([0, 0xffff], record(A, '0004', 'c0000201')), 'a name is cut off'],
    ['OPT is an answer', message([0, 1], record('0029', '0000')), 'belong to the additional section'],
    ['OPT is in the authority section', message([0, 0, 1], record('0029', '0000')), 'belong to the additional section'],
    ['TSIG is an answer', message([0, 1], record('00fa', '0000')), 'belong to the additional section'],
    ['there are two OPT records', message([0, 0, 0, 2], record('0029', '0000').repeat(2)), 'more than one OPT'],
    ['OPT is not at the root', message([0, 0, 0, 1], `0161${record('0029', '0000')}`), 'OPT record is not at the root'],
    ['an option of OPT is cut off', message([0, 0, 0, 1], record('0029', '0004', '000a0001')), 'end too early'],
    ['an option of OPT has no length', message([0, 0, 0, 1], record('0029', '0002', '000a')), 'end too early'],
    [
      'TSIG is not the last record',
      message([0, 0, 0, 2], `${tsig()}${record(A, '0004', 'c0000201')}`),
      'the TSIG record is not the last one',
    ],
    ['there are two TSIG records', message([0, 0, 0, 2], tsig().repeat(2)), 'the TSIG record is not the last one'],
    ['TSIG has class IN', message([0, 0, 0, 1], tsig('0001')), 'has a class or TTL'],
    ['TSIG has a TTL', message([0, 0, 0, 1], tsig('00ff', '00000001')), 'has a class or TTL'],
    ['TSIG is cut off', message([0, 0, 0, 1], `0000fa00ff00000000000200`), 'end too early'],
    ['the algorithm of TSIG is compressed', message([0, 0, 0, 1], tsig('00ff', '00000000', 'c00c')), 'is compressed'],
    ['TSIG has an octet too many', message([0, 0, 0, 1], tsig('00ff', '00000000', '00', '00')), 'octets too many'],
  ])('refuses a message when %s', (_, hex, text) => {
    const error = errorOf(() => readMessage(Buffer.from(hex, 'hex')));
    expect(error).toMatchObject({ rcode: Rcode.FORMERR, request: null });
    expect(error.message).toContain(text);
  });

  it('refuses a message of more than 65,535 octets', () => {
    expect(() => readMessage(Buffer.alloc(0x10000))).toThrow(MessageError);
  });

  it.each<readonly [string, string, number]>([
    ['SRV', '0021', 6],
    ['AFSDB', '0012', 2],
    ['RT', '0015', 2],
  ])('reads the compressed name in RDATA of %s', (_, type, before) => {
    const fixed = '01'.repeat(before);
    const length = (before + 2).toString(16).padStart(4, '0');
    const octets = message([1, 1], `016100${A}${IN}${record(type, length, fixed + QUESTION_NAME)}`);
    const { answers } = readMessage(Buffer.from(octets, 'hex'));
    expect(Buffer.from(answers[0]!.rdata).toString('hex')).toBe(`${fixed}016100`);
  });

  it('reads the compressed name in RDATA of NAPTR, behind its strings', () => {
    const fixed = '000100020153015800';
    const octets = message([1, 1], `016100${A}${IN}${record('0023', '000b', fixed + QUESTION_NAME)}`);
    const { answers } = readMessage(Buffer.from(octets, 'hex'));
    expect(Buffer.from(answers[0]!.rdata).toString('hex')).toBe(`${fixed}016100`);
  });

  it('leaves RDATA of another class alone', () => {
    const chaos = `00${A}00030000000000020102`;
    const { answers } = readMessage(Buffer.from(message([0, 1], chaos), 'hex'));
    expect([...answers[0]!.rdata]).toEqual([1, 2]);
  });

  it('leaves options of a later version of EDNS alone', () => {
    const opt = `00002904d0000100000003ffffff`;
    const { edns } = readMessage(Buffer.from(message([0, 0, 0, 1], opt), 'hex'));
    expect(edns).toMatchObject({ version: 1, options: [] });
  });

  it('accepts chained pointers, up to the number that a name can need', () => {
    expect(readMessage(withPointers(127)).authorities[0]!.owner.toString()).toBe('.');
    expect(() => readMessage(withPointers(128))).toThrow('too many pointers');
  });

  it('reads a name of 255 octets', () => {
    const octets = Buffer.from(message([1], `${longName(127)}${A}${IN}`), 'hex');
    expect(readMessage(octets).questions[0]!.name.labelCount).toBe(127);
  });
});

describe('readRequest', () => {
  it('reads a query', () => {
    const { header, questions } = readRequest(SOA_QUERY);
    expect(header).toEqual(requestHeader(4711, Opcode.QUERY));
    expect(questions).toEqual([{ name: EXAMPLE_ORG, type: 6, class: RecordClass.IN }]);
  });

  it('reads a NOTIFY with the new SOA (RFC 1996 §3.7)', () => {
    const notify = query(6, { header: requestHeader(1, Opcode.NOTIFY), answers: [soaRecord(7)] });
    expect(readRequest(notify).answers).toHaveLength(1);
  });

  it('sends no response to a response, or to less than a header', () => {
    const response = query(6, { header: responseHeader(requestHeader(1, Opcode.QUERY), Rcode.NOERROR) });
    expect(errorOf(() => readRequest(response)).request).toBeNull();
    expect(errorOf(() => readRequest(SOA_QUERY.subarray(0, 11))).request).toBeNull();
  });

  it.each([1, 2, 3, 5, 6, 15])('answers NOTIMP for opcode %i with any other content', (opcode) => {
    const request = Buffer.concat([query(6, { header: requestHeader(9, opcode) }), Buffer.of(1)]);
    expect(errorOf(() => readRequest(request))).toMatchObject({
      rcode: Rcode.NOTIMP,
      request: { header: { id: 9, opcode } },
    });
  });

  it('answers BADVERS for a later version of EDNS (RFC 6891 §6.1.3)', () => {
    const error = errorOf(() => readRequest(query(6, { edns: { ...EDNS, version: 1 } })));
    expect(error).toMatchObject({
      rcode: Rcode.BADVERS,
      request: { header: { id: 4711 }, question: { name: EXAMPLE_ORG, type: 6 } },
    });
  });

  it.each<readonly [string, Buffer]>([
    ['octets behind the message', Buffer.concat([SOA_QUERY, Buffer.of(0)])],
    ['a question that is cut off', SOA_QUERY.subarray(0, -1)],
    ['no question', writeMessage({ header: requestHeader(4711, Opcode.QUERY) })],
    ['a NOTIFY with a cookie alone', cookieAlone(Opcode.NOTIFY, 8)],
    ['two questions (RFC 9619)', query(6, { questions: [question(6), question(1)] })],
    ...[0, 7, 9, 15, 41].map(
      (count) => [`a cookie of ${count} octets (RFC 7873 §5.2.2)`, query(6, { edns: withCookie(count) })] as const,
    ),
  ])('answers FORMERR for %s', (_, octets) => {
    const error = errorOf(() => readRequest(octets));
    expect(error).toMatchObject({ rcode: Rcode.FORMERR, request: { header: { id: 4711 } } });
  });

  it.each([8, 16, 24, 40])('accepts a cookie of %i octets, and a query for it alone (RFC 7873 §5.4)', (count) => {
    expect(readRequest(query(6, { edns: withCookie(count) })).questions).toHaveLength(1);
    expect(readRequest(cookieAlone(Opcode.QUERY, count)).questions).toEqual([]);
  });
});

describe('clientSerial', () => {
  it('is the serial in the authority section (RFC 1995 §3)', () => {
    const octets = query(MetaType.IXFR, { authorities: [soaRecord(4_294_967_295)] });
    expect(clientSerial(readRequest(octets))).toBe(4_294_967_295);
  });

  const soa = soaRecord(1);
  it.each([
    ['no SOA', []],
    ['two', [soa, soa]],
    ['that of another zone', [{ ...soa, owner: DomainName.parse('example.net.') }]],
    ['one of another class', [{ ...soa, class: RecordClass.CH, rdata: new Uint8Array(3) }]],
    ['a record of another type', [{ ...soa, type: 1, rdata: new Uint8Array(4) }]],
  ])('refuses a query with %s', (_, authorities) => {
    const request = readRequest(query(MetaType.IXFR, { authorities }));
    expect(errorOf(() => clientSerial(request))).toMatchObject({
      rcode: Rcode.FORMERR,
      request: { header: { id: 4711 } },
    });
  });
});

function errorOf(read: () => unknown): MessageError {
  try {
    read();
  } catch (error) {
    if (error instanceof MessageError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** A message in hexadecimal with these counts in its header. */
function message(counts: readonly number[], rest = ''): string {
  const words = [0x1234, 0, ...counts, 0, 0, 0].slice(0, 6);
  return words.map((word) => word.toString(16).padStart(4, '0')).join('') + rest;
}

/** A record of the root. */
function record(type: string, length: string, rdata = ''): string {
  return `00${type}${IN}00000000${length}${rdata}`;
}

/** A TSIG record with an empty MAC. */
function tsig(recordClass = '00ff', ttl = '00000000', algorithm = '00', more = ''): string {
  const rdata = `${algorithm}000000000001012c0000123400000000${more}`;
  return `0000fa${recordClass}${ttl}${(rdata.length / 2).toString(16).padStart(4, '0')}${rdata}`;
}

function longName(labels: number): string {
  return `${'0161'.repeat(labels)}00`;
}

/** An owner name with `count` chained pointers in other RDATA, which end at the root in the question. */
function withPointers(count: number): Buffer {
  const start = 28;
  const targets = Array.from({ length: count }, (_, at) => (at === 0 ? 12 : start + 2 * (at - 1)));
  const chain = targets.map(pointerTo).join('');
  const length = (2 * count).toString(16).padStart(4, '0');
  const last = pointerTo(start + 2 * (count - 1));
  const records = `${record('ff00', length, chain)}${last}${record(A, '0004', 'c0000201').slice(2)}`;
  return Buffer.from(message([1, 1, 1], `00${A}${IN}${records}`), 'hex');
}

function pointerTo(offset: number): string {
  return (0xc000 | offset).toString(16);
}

function question(type: number) {
  return { name: EXAMPLE_ORG, type, class: RecordClass.IN };
}

function withCookie(octets: number): Edns {
  return { ...EDNS, options: [{ code: 10, data: new Uint8Array(octets) }] };
}

function cookieAlone(opcode: number, octets: number): Buffer {
  return writeMessage({ header: requestHeader(4711, opcode), edns: withCookie(octets) });
}
