import { connect } from 'node:net';

import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType, Rcode, rcodeName } from '../../src/dns/message/codes.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { framed } from '../../src/dns/message/message-writer.js';
import { TsigClient } from '../../src/dns/message/tsig/tsig-client.js';
import type { TsigKey } from '../../src/dns/message/tsig/tsig-key.js';

const now = () => Math.floor(Date.now() / 1000);

/** The response to a query: messages, and the records of their answer sections in order. */
export interface Transfer {
  readonly messages: readonly Message[];
  readonly records: readonly ResourceRecord[];
}

/**
 * Queries a loopback server over TCP for AXFR, IXFR or records, and reads the whole response. With a key it signs the
 * query and verifies each message.
 * @param read parses the messages
 * @throws Error for RCODEs other than NOERROR, for a connection that ends early, and for errors of the reader and of
 * TSIG
 */
export async function transfer(
  port: number,
  query: Buffer,
  key: TsigKey | null = null,
  read: (octets: Uint8Array) => Message = readMessage,
): Promise<Transfer> {
  const client = key && new TsigClient(key, now);
  const messages: Message[] = [];
  const ending = new Ending(readMessage(query).questions[0]?.type);
  for await (const octets of answersOf(port, client ? client.sign(query) : query)) {
    const message = read(octets);
    client?.verify(octets, message);
    if (message.header.rcode !== Rcode.NOERROR) throw new Error(`the server says ${rcodeName(message.header.rcode)}`);
    messages.push(message);
    if (ending.isReachedBy(message.answers)) return { messages, records: messages.flatMap(({ answers }) => answers) };
  }
  throw new Error('the connection ended before the transfer');
}

/** Applies an IXFR response of any form (RFC 1995 §4) to a copy of the zone; the SOA is first in both. */
export function applied(copy: readonly ResourceRecord[], answer: readonly ResourceRecord[]): ResourceRecord[] {
  const [soa, ...rest] = answer;
  if (soa === undefined || rest.length === 0) return [...copy];
  if (rest[0]?.type !== SOA.code) return answer.slice(0, -1);
  const zone = new Map(copy.map((record) => [idOf(record), record]));
  let isRemoving = false;
  for (const record of rest.slice(0, -1)) {
    if (record.type === SOA.code) isRemoving = !isRemoving;
    if (!isRemoving) zone.set(idOf(record), record);
    else if (!zone.delete(idOf(record))) throw new Error(`there is no ${idOf(record)} to remove`);
  }
  return [...zone.values()];
}

/** Owner, type, TTL and RDATA, names in lower case. */
export function idOf({ owner, type, ttl, rdata }: ResourceRecord): string {
  return `${owner.canonical.toString()} ${type} ${ttl} ${Buffer.from(rdata).toString('hex')}`;
}

/** Finds the last record of an answer, which no message announces (RFC 5936 §2.2, RFC 1995 §4). */
class Ending {
  private serial: number | undefined;
  /** How often the SOA with the new serial stands in the whole answer; known when the second record is. */
  private expected = 0;
  private records = 0;
  private seen = 0;

  constructor(private readonly queryType: number | undefined) {}

  isReachedBy(answers: readonly ResourceRecord[]): boolean {
    if (this.queryType !== MetaType.AXFR && this.queryType !== MetaType.IXFR) return true;
    for (const record of answers) this.count(record);
    // The client's copy is current (RFC 1995 §2).
    if (this.records === 1) return this.queryType === MetaType.IXFR;
    return this.seen === this.expected;
  }

  private count({ type, rdata }: ResourceRecord): void {
    this.records++;
    const serial = type === SOA.code ? SOA.values(rdata).serial : undefined;
    if (this.records === 1) this.serial = serial;
    if (this.records === 2) this.expected = serial !== undefined && this.queryType === MetaType.IXFR ? 3 : 2;
    if (serial !== undefined && serial === this.serial) this.seen++;
  }
}

async function* answersOf(port: number, query: Buffer): AsyncGenerator<Buffer> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(framed(query));
  let received = Buffer.alloc(0);
  for await (const chunk of socket) {
    // Without an encoding a socket gives buffers.
    received = Buffer.concat([received, chunk as Buffer]);
    while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
      const end = 2 + received.readUInt16BE();
      yield received.subarray(2, end);
      received = received.subarray(end);
    }
  }
}
