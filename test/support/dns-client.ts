import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType, RecordClass, Opcode, Rcode, rcodeName } from '../../src/dns/message/codes.js';
import type { Edns, EdnsOption } from '../../src/dns/message/edns.js';
import { requestHeader } from '../../src/dns/message/header.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { MessageFrames } from '../../src/dns/message/message-frames.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { framed, writeMessage } from '../../src/dns/message/message-writer.js';
import { TsigClient } from '../../src/dns/message/tsig/tsig-client.js';
import type { TsigKey } from '../../src/dns/message/tsig/tsig-key.js';
import { WireWriter } from '../../src/dns/message/wire.js';
import { isLaterSerial } from '../../src/zones/serials/serial.js';

/** A query; other message fields have usual values. */
export interface Asked {
  readonly name: string;
  readonly type: number;
  readonly class?: number;
  readonly id?: number;
  readonly opcode?: number;
  /** The serial of the client's copy, sent in an IXFR query. */
  readonly serial?: number;
  readonly edns?: Partial<Edns>;
}

/** Octets of a query. */
export function queryOf({ name, type, id = 4711, opcode = Opcode.QUERY, serial, edns, ...asked }: Asked): Buffer {
  const owner = DomainName.parse(name);
  return writeMessage({
    header: requestHeader(id, opcode),
    questions: [{ name: owner, type, class: asked.class ?? RecordClass.IN }],
    authorities: serial === undefined ? [] : [soaWithSerial(owner, serial)],
    edns: edns === undefined ? null : { udpPayloadSize: 1232, version: 0, isDnssecOk: false, options: [], ...edns },
  });
}

export function cookieOption(data: Uint8Array): EdnsOption {
  return { code: 10, data };
}

function soaWithSerial(owner: DomainName, serial: number): ResourceRecord {
  const rdata = new WireWriter().name(DomainName.ROOT).name(DomainName.ROOT);
  for (const number of [serial, 0, 0, 0, 0]) rdata.uint32(number);
  return { owner, type: SOA.code, class: RecordClass.IN, ttl: 0, rdata: rdata.finish() };
}

/** Where a test server listens. */
export interface Place {
  readonly port: number;
  readonly address?: string;
  /** From which to ask. */
  readonly localAddress?: string;
}

/** The octets that answer a datagram; `null` when nothing comes. */
export async function sendDatagram(
  { port, address = '127.0.0.1', localAddress }: Place,
  datagram: Uint8Array,
  timeout = 5000,
): Promise<Buffer | null> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  try {
    if (localAddress !== undefined) {
      socket.bind({ address: localAddress });
      await once(socket, 'listening');
    }
    socket.send(datagram, port, address);
    const [octets] = (await once(socket, 'message', { signal: AbortSignal.timeout(timeout) })) as [Buffer];
    return octets;
  } catch (error) {
    if ((error as Error).name === 'AbortError') return null;
    throw error;
  } finally {
    socket.close();
  }
}

/** The answer to a query by UDP. */
export async function ask(place: Place, asked: Asked | Uint8Array): Promise<Message> {
  const octets = await sendDatagram(place, asked instanceof Uint8Array ? asked : queryOf(asked));
  if (octets === null) throw new Error('there is no answer');
  return readMessage(octets);
}

/** `NOERROR`, `REFUSED`, … */
export function rcodeOf({ header }: Message): string {
  // The number means something else in a TSIG record.
  return header.rcode === Rcode.BADVERS ? 'BADVERS' : rcodeName(header.rcode);
}

/** A TCP connection to a name server. */
export class DnsConnection {
  private readonly frames = new MessageFrames();
  private readonly waiting: (() => void)[] = [];
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  private isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.frames.add(chunk);
      this.wake();
    });
    socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.isClosed = true;
        this.wake();
        resolve();
      });
    });
  }

  static async open({ port, address = '127.0.0.1', localAddress }: Place): Promise<DnsConnection> {
    const socket = connect({ host: address, port, noDelay: true, ...(localAddress && { localAddress }) });
    await once(socket, 'connect');
    return new DnsConnection(socket);
  }

  send(...messages: Uint8Array[]): void {
    this.socket.write(Buffer.concat(messages.map((message) => framed(message))));
  }

  /** The octets of the next message; `null` when the connection has been closed. */
  async next(): Promise<Buffer | null> {
    while (true) {
      const message = this.frames.next();
      if (message !== null || this.isClosed) return message;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  async nextMessage(): Promise<Message> {
    const octets = await this.next();
    if (octets === null) throw new Error('the connection was closed');
    return readMessage(octets);
  }

  close(): void {
    this.socket.destroy();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** The result of a transfer. */
export interface Transferred {
  readonly records: readonly ResourceRecord[];
  readonly messages: readonly Message[];
}

/** Asks for a transfer over TCP and reads it to its end; with a key, each message must be signed by it. */
export async function transfer(place: Place, asked: Asked, key?: TsigKey): Promise<Transferred> {
  const connection = await DnsConnection.open(place);
  try {
    return await transferOver(connection, asked, key);
  } finally {
    connection.close();
  }
}

export async function transferOver(connection: DnsConnection, asked: Asked, key?: TsigKey): Promise<Transferred> {
  const signer = key && new TsigClient(key, unixTime);
  const query = queryOf(asked);
  connection.send(signer?.sign(query) ?? query);
  const messages: Message[] = [];
  const records: ResourceRecord[] = [];
  while (!isComplete(asked, records)) {
    const octets = await connection.next();
    if (octets === null) throw new Error(`the transfer ends after ${records.length} records`);
    const message = readMessage(octets);
    signer?.verify(octets, message);
    messages.push(message);
    for (const record of message.answers) records.push(record);
    if (message.header.rcode !== 0) break;
  }
  return { records, messages };
}

export function unixTime(): number {
  return Math.floor(Date.now() / 1000);
}

/** RFC 5936 §2.2, RFC 1995 §4: the SOA record of the zone begins and ends a transfer. */
function isComplete({ type, serial = 0 }: Asked, records: readonly ResourceRecord[]): boolean {
  const [first, second] = records;
  if (first === undefined) return false;
  const latest = serialOf(first);
  // The client has the zone already.
  if (records.length === 1) return type === MetaType.IXFR && !isLaterSerial(latest, serial);
  const ends = records.filter((record) => record.type === SOA.code && serialOf(record) === latest).length;
  const isDifference = second?.type === SOA.code && serialOf(second) !== latest;
  return ends === (isDifference ? 3 : 2) && records.at(-1)?.type === SOA.code;
}

export function serialOf({ rdata }: ResourceRecord): number {
  return SOA.values(rdata).serial;
}
