import { expect, it } from '@jest/globals';
import fc from 'fast-check';

import { anyMessage, AXFR_QUERY, query, soaRecord } from '../../../test/support/messages.js';
import { signedQuery } from '../../../test/support/tsig.js';
import { MetaType, Opcode } from './codes.js';
import { HEADER_OCTETS } from './wire.js';
import { requestHeader } from './header.js';
import { MessageError } from './message.js';
import { readMessage, readRequest } from './message-reader.js';
import { writeMessage } from './message-writer.js';
import { processorTime } from '../../../test/support/processor-time.js';

/** The same ones each time. */
const SEEDED = { seed: 20_261_122, endOnFailure: true };
/** For one message of any octets; a thousand times the usual time. */
const LONGEST_MS = 500;

it('reads 20,000 mutated messages, or refuses them as a MessageError', () => {
  const seen = { read: 0, refused: 0, longest: 0 };
  fc.assert(
    fc.property(mutatedMessage(), (octets) => {
      for (const read of [readMessage, readRequest]) {
        const started = processorTime();
        seen[isRead(read, octets) ? 'read' : 'refused']++;
        seen.longest = Math.max(seen.longest, processorTime() - started);
      }
    }),
    { ...SEEDED, numRuns: 20_000 },
  );
  // Mutations that all end at the same check would prove little.
  expect(seen.read).toBeGreaterThan(4_000);
  expect(seen.refused).toBeGreaterThan(4_000);
  expect(seen.longest).toBeLessThan(LONGEST_MS);
});

it('reads any octets, or refuses them as a MessageError', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (octets) => {
      isRead(readMessage, octets);
      isRead(readRequest, octets);
    }),
    { ...SEEDED, numRuns: 2_000 },
  );
});

it('keeps its time when the name of every record leads through as many pointers as names may have', () => {
  for (const chain of [pointersToPointers(127), pointersBetweenLabels(126)]) {
    const header = Buffer.alloc(HEADER_OCTETS);
    header.writeUInt16BE(0xffff, 6);
    const start = Buffer.from('00ff00000100000000', 'hex');
    const length = Buffer.of(chain.length >> 8, chain.length & 0xff);
    const last = CHAIN_START + chain.length - (chain.length % 4 === 0 ? 4 : 2);
    const record = Buffer.from(`${(0xc000 | last).toString(16)}ff000001000000000000`, 'hex');
    const octets = Buffer.concat([header, start, length, chain, ...Array.from({ length: 5_400 }, () => record)]);
    const started = processorTime();
    expect(() => readMessage(octets)).toThrow('a name is cut off');
    expect(processorTime() - started).toBeLessThan(LONGEST_MS);
  }
});

function isRead(read: (octets: Uint8Array) => unknown, octets: Uint8Array): boolean {
  try {
    read(octets);
    return true;
  } catch (error) {
    if (error instanceof MessageError) return false;
    throw error;
  }
}

const MESSAGES: readonly Buffer[] = [
  AXFR_QUERY,
  query(MetaType.IXFR, { authorities: [soaRecord(7)] }),
  signedQuery(),
  query(6, { header: requestHeader(1, Opcode.NOTIFY), answers: [soaRecord(8)] }),
  ...fc.sample(anyMessage(), { seed: SEEDED.seed, numRuns: 200 }).map(writeMessage),
];

/** Messages of all kinds, with some octets changed, cut out, put in twice or made into pointers. */
function mutatedMessage(): fc.Arbitrary<Uint8Array> {
  const mutation = fc.record({
    kind: fc.constantFrom('change', 'cut', 'repeat', 'point', 'count'),
    at: fc.nat(),
    value: fc.nat(0xffff),
  });
  return fc
    .tuple(fc.constantFrom(...MESSAGES), fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([octets, mutations]) => mutations.reduce<Uint8Array>(mutated, octets));
}

interface Mutation {
  readonly kind: string;
  readonly at: number;
  readonly value: number;
}

function mutated(octets: Uint8Array, { kind, at: anywhere, value }: Mutation): Uint8Array {
  const at = anywhere % (octets.length + 1);
  const count = value % 8;
  const [before, after] = [octets.subarray(0, at), octets.subarray(at)];
  switch (kind) {
    case 'cut':
      return Buffer.concat([before, after.subarray(count)]);
    case 'repeat':
      return Buffer.concat([before, after.subarray(0, count), after]);
    case 'point':
      return Buffer.concat([before, Buffer.of(0xc0 | ((value >> 8) & 1), value & 0xff), after.subarray(2)]);
    case 'count':
      return Buffer.concat([octets.subarray(0, 4), Buffer.of(0, count), octets.subarray(6)]);
    default:
      return Buffer.concat([before, Buffer.of(value & 0xff), after.subarray(1)]);
  }
}

/** Where the RDATA of the first record begins, whose owner is the root. */
const CHAIN_START = HEADER_OCTETS + 11;

/** RDATA of pointers, each to the one before; the first leads to the root in front of it. */
function pointersToPointers(count: number): Buffer {
  return Buffer.concat(
    Array.from({ length: count }, (_, at) => pointerTo(at === 0 ? HEADER_OCTETS : CHAIN_START + 2 * (at - 1))),
  );
}

/** The same with a label before each pointer. */
function pointersBetweenLabels(count: number): Buffer {
  return Buffer.concat(
    Array.from({ length: count }, (_, at) =>
      Buffer.concat([Buffer.of(1, 0x78), pointerTo(at === 0 ? HEADER_OCTETS : CHAIN_START + 4 * (at - 1))]),
    ),
  );
}

function pointerTo(offset: number): Buffer {
  return Buffer.of(0xc0 | (offset >> 8), offset & 0xff);
}
