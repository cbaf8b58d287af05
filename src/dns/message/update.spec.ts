import { describe, expect, it } from '@jest/globals';
import { DomainName } from '../name.js';
import { MetaType, RecordClass, Opcode, rcodeName } from './codes.js';
import { requestHeader } from './header.js';
import { type Message, MessageError, type ResourceRecord } from './message.js';
import { readRequest } from './message-reader.js';
import { type MessageContent, writeMessage } from './message-writer.js';
import { readUpdate } from './update.js';

const { IN, NONE, ANY } = RecordClass;
const ZONE = DomainName.parse('example.org.');
const [A, NS, SOA, TXT] = [1, 2, 6, 16];
const NOTHING = new Uint8Array();
const ADDRESS = Uint8Array.of(192, 0, 2, 1);
const ENTRY = { name: ZONE, type: SOA, class: IN };

function record(fields: Partial<ResourceRecord> = {}): ResourceRecord {
  return { owner: DomainName.parse('www.example.org.'), type: A, class: IN, ttl: 0, rdata: ADDRESS, ...fields };
}

function updateOf(content: Partial<MessageContent>): Message {
  const header = requestHeader(4711, Opcode.UPDATE);
  return readRequest(writeMessage({ header, questions: [ENTRY], ...content }), [Opcode.UPDATE]);
}

/** The RCODE by which it is refused, or NOERROR. */
function verdictOn(content: Partial<MessageContent>): string {
  try {
    readUpdate(updateOf(content));
    return 'NOERROR';
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    return rcodeName(error.rcode);
  }
}

describe('an UPDATE', () => {
  it.each<[string, Partial<ResourceRecord>, object]>([
    ['a name that exists', { class: ANY, type: MetaType.ANY, rdata: NOTHING }, { asks: 'name exists' }],
    ['a name that is free', { class: NONE, type: MetaType.ANY, rdata: NOTHING }, { asks: 'name is free' }],
    ['a set that exists', { class: ANY, rdata: NOTHING }, { asks: 'set exists', type: A }],
    ['a set that is free', { class: NONE, rdata: NOTHING }, { asks: 'set is free', type: A }],
    ['what a set has', {}, { asks: 'set has', type: A, rdata: ADDRESS }],
  ])('asks for %s', (_, fields, expected) => {
    expect(readUpdate(updateOf({ answers: [record(fields)] })).prerequisites).toMatchObject([expected]);
  });

  it.each<[string, Partial<ResourceRecord>, object]>([
    ['adds a record', { ttl: 300 }, { does: 'add', type: A, ttl: 300, rdata: ADDRESS }],
    ['takes a TTL of 2^31 for 0', { ttl: 2 ** 31 }, { does: 'add', ttl: 0 }],
    ['deletes a record', { class: NONE }, { does: 'delete record', type: A, rdata: ADDRESS }],
    ['deletes a set', { class: ANY, rdata: NOTHING }, { does: 'delete set', type: A }],
    ['deletes a set of names', { class: ANY, type: NS, rdata: NOTHING }, { does: 'delete set', type: NS }],
    ['deletes a name', { class: ANY, type: MetaType.ANY, rdata: NOTHING }, { does: 'delete name' }],
  ])('%s', (_, fields, expected) => {
    expect(readUpdate(updateOf({ authorities: [record(fields)] })).steps).toMatchObject([expected]);
  });

  it('deletes a record whose name is compressed', () => {
    const owner = DomainName.parse('sub.example.org.');
    const rdata = DomainName.parse('ns.example.org.').wire;
    const octets = Buffer.from(
      writeMessage({
        header: requestHeader(1, Opcode.UPDATE),
        questions: [ENTRY],
        authorities: [record({ owner, type: NS, class: NONE, rdata })],
      }),
    );
    expect(octets.length).toBeLessThan(12 + ZONE.wire.length + 4 + owner.wire.length + 10 + rdata.length);
    const [step] = readUpdate(readRequest(octets, [Opcode.UPDATE])).steps;
    expect(step).toMatchObject({ does: 'delete record', rdata });
  });

  it.each<[string, Partial<MessageContent>, string]>([
    ['without a zone', { questions: [] }, 'FORMERR'],
    ['of two zones', { questions: [ENTRY, ENTRY] }, 'FORMERR'],
    ['whose zone is no SOA', { questions: [{ ...ENTRY, type: A }] }, 'FORMERR'],
    ['with a prerequisite that has a TTL', { answers: [record({ ttl: 1 })] }, 'FORMERR'],
    ['with a prerequisite of another class', { answers: [record({ class: RecordClass.CH })] }, 'FORMERR'],
    ['with data in "exists"', { answers: [record({ class: ANY })] }, 'FORMERR'],
    ['with data in "is free"', { answers: [record({ class: NONE })] }, 'FORMERR'],
    ['with a prerequisite outside', { answers: [record({ owner: DomainName.parse('example.net.') })] }, 'NOTZONE'],
    ['that adds outside', { authorities: [record({ owner: DomainName.parse('org.') })] }, 'NOTZONE'],
    ['that adds ANY', { authorities: [record({ type: MetaType.ANY })] }, 'FORMERR'],
    ['that adds AXFR', { authorities: [record({ type: MetaType.AXFR })] }, 'FORMERR'],
    ['that adds MAILA', { authorities: [record({ type: 254 })] }, 'FORMERR'],
    ['that adds TKEY', { authorities: [record({ type: 249 })] }, 'FORMERR'],
    ['that adds type 0', { authorities: [record({ type: 0 })] }, 'FORMERR'],
    ['of another class', { authorities: [record({ class: RecordClass.CH })] }, 'FORMERR'],
    ['that deletes a set with a TTL', { authorities: [record({ class: ANY, ttl: 1, rdata: NOTHING })] }, 'FORMERR'],
    ['that deletes a set with data', { authorities: [record({ class: ANY })] }, 'FORMERR'],
    ['that deletes IXFR', { authorities: [record({ class: ANY, type: MetaType.IXFR, rdata: NOTHING })] }, 'FORMERR'],
    ['that deletes a record with a TTL', { authorities: [record({ class: NONE, ttl: 1 })] }, 'FORMERR'],
    ['that deletes a record of ANY', { authorities: [record({ class: NONE, type: MetaType.ANY })] }, 'FORMERR'],
    ['that deletes an address of no octets', { authorities: [record({ class: NONE, rdata: NOTHING })] }, 'FORMERR'],
    ['that deletes a text that lies', { authorities: [record({ class: NONE, type: TXT })] }, 'FORMERR'],
    ['that adds a text that lies', { authorities: [record({ type: TXT })] }, 'FORMERR'],
    ['with anything in the additional section', { additionals: [record({ owner: DomainName.ROOT })] }, 'NOERROR'],
  ])('%s', (_, content, expected) => {
    expect(verdictOn(content)).toBe(expected);
  });

  it('is not served unless it is asked for', () => {
    const octets = writeMessage({ header: requestHeader(1, Opcode.UPDATE), questions: [ENTRY] });
    expect(() => readRequest(octets)).toThrow('opcode 5 is not served');
  });
});
