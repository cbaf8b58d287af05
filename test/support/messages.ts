import fc from 'fast-check';

import { DomainName } from '../../src/dns/name.js';
import { genericType, type RecordType, SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { MetaType, RecordClass, Opcode } from '../../src/dns/message/codes.js';
import type { Edns } from '../../src/dns/message/edns.js';
import { requestHeader } from '../../src/dns/message/header.js';
import type { Header, Message, Question, ResourceRecord } from '../../src/dns/message/message.js';
import { type MessageContent, writeMessage } from '../../src/dns/message/message-writer.js';
import { EXAMPLE_ORG } from './master-file.js';
import { validRdata } from './valid-rdata.js';

/** Message contents in tests: all sections, without a signature. */
export type FullContent = Required<MessageContent>;

const TYPES: readonly RecordType[] = [...STANDARD_TYPES, SOA, genericType('TYPE65280') ?? SOA];

/** Few of them, so that names share suffixes, in both cases. */
const PLAIN_LABELS = ['a', 'b', 'B', 'www', 'org', 'ORG', 'example', 'x'.repeat(63)];
const ODD_LABELS = ['a\\.b', '\\000\\255'];

function sharedName(labels: readonly string[] = [...PLAIN_LABELS, ...ODD_LABELS]): fc.Arbitrary<DomainName> {
  return fc
    .array(fc.constantFrom(...labels), { maxLength: 5 })
    .map((chosen) => chosen.map((text) => `${text}.`).join('') || '.')
    .filter((text) => text.length < 255)
    .map((text) => DomainName.parse(text));
}

/** Names without odd labels. */
export function plainName(): fc.Arbitrary<DomainName> {
  return sharedName(PLAIN_LABELS);
}

export function anyRecord(types = TYPES, name = sharedName()): fc.Arbitrary<ResourceRecord> {
  return fc.constantFrom(...types).chain((type) =>
    fc.record({
      owner: name,
      type: fc.constant(type.code),
      class: fc.constant(RecordClass.IN),
      ttl: fc.integer({ min: 0, max: 0xffffffff }),
      rdata: rdataOf(type, name),
    }),
  );
}

/** Names in random RDATA seldom share a suffix. */
function rdataOf(type: RecordType, name: fc.Arbitrary<DomainName>): fc.Arbitrary<Uint8Array> {
  if (!['NS', 'CNAME', 'PTR', 'MX', 'SRV', 'RP'].includes(type.name)) return validRdata(type);
  const before = { MX: 2, SRV: 6 }[type.name] ?? 0;
  const count = type.name === 'RP' ? 2 : 1;
  const names = fc.array(name, { minLength: count, maxLength: count });
  return fc
    .tuple(fc.uint8Array({ minLength: before, maxLength: before }), names)
    .map(([octets, targets]) => Buffer.concat([octets, ...targets.map(({ wire }) => wire)]));
}

function anyHeader(): fc.Arbitrary<Header> {
  return fc.record({
    id: fc.nat(0xffff),
    opcode: fc.nat(15),
    rcode: fc.nat(15),
    isResponse: fc.boolean(),
    isAuthoritative: fc.boolean(),
    isTruncated: fc.boolean(),
    isRecursionDesired: fc.boolean(),
    isRecursionAvailable: fc.boolean(),
    isAuthenticData: fc.boolean(),
    isCheckingDisabled: fc.boolean(),
  });
}

export function anyMessage(types = TYPES, name = sharedName()): fc.Arbitrary<FullContent> {
  const records = fc.array(anyRecord(types, name), { maxLength: 6 });
  const content = fc.record({
    header: anyHeader(),
    questions: fc.array(anyQuestion(name), { maxLength: 2 }),
    answers: records,
    authorities: records,
    additionals: records,
    edns: fc.option(anyEdns()),
  });
  return fc.tuple(content, fc.nat(0xfff)).map(([message, rcode]) => ({
    ...message,
    header: { ...message.header, rcode: message.edns === null ? message.header.rcode : rcode },
  }));
}

function anyQuestion(name: fc.Arbitrary<DomainName>): fc.Arbitrary<Question> {
  return fc.record({ name, type: fc.nat(0xffff), class: fc.nat(0xffff) });
}

function anyEdns(): fc.Arbitrary<Edns> {
  const option = fc.record({ code: fc.nat(0xffff), data: fc.uint8Array({ maxLength: 40 }) });
  return fc.record({
    udpPayloadSize: fc.nat(0xffff),
    version: fc.constant(0),
    isDnssecOk: fc.boolean(),
    options: fc.array(option, { maxLength: 3 }),
  });
}

/** A message in a comparable form: octets as hexadecimal, names with their case. */
export function comparable(message: MessageContent | Message): unknown {
  const { header, questions = [], answers = [], authorities = [], additionals = [], edns = null } = message;
  return {
    header,
    questions: questions.map((question) => ({ ...question, name: question.name.toString() })),
    answers: answers.map(comparableRecord),
    authorities: authorities.map(comparableRecord),
    additionals: additionals.map(comparableRecord),
    edns: edns && { ...edns, options: edns.options.map(({ code, data }) => ({ code, data: hex(data) })) },
  };
}

function comparableRecord({ owner, type, class: recordClass, ttl, rdata }: ResourceRecord): string {
  return `${owner.toString()} ${ttl} ${recordClass} ${type} ${hex(rdata)}`;
}

function hex(octets: Uint8Array): string {
  return Buffer.from(octets).toString('hex');
}

/** A query for example.org., or for another name. */
export function query(type: number, content: Partial<MessageContent> = {}, name = EXAMPLE_ORG): Buffer {
  const questions = [{ name, type, class: RecordClass.IN }];
  return writeMessage({ header: requestHeader(4711, Opcode.QUERY), questions, ...content });
}

export const AXFR_QUERY = query(MetaType.AXFR);

/** The SOA of example.org. with that serial. */
export function soaRecord(serial: number): ResourceRecord {
  const text = `ns1.example.org. hostmaster.example.org. ${serial} 3600 600 86400 300`;
  const rdata = SOA.parse(text, null);
  return { owner: EXAMPLE_ORG, type: SOA.code, class: RecordClass.IN, ttl: 300, rdata };
}
