import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { responseHeader } from '../../src/dns/message/header.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { MessageFrames } from '../../src/dns/message/message-frames.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { framed, writeMessage } from '../../src/dns/message/message-writer.js';
import { SIGNING_TYPES, SOA, STANDARD_TYPES } from '../../src/dns/rdata/index.js';
import { record } from './hostile-master.js';

/** An answer; `null`: silence. */
export type Said = null | {
  readonly rcode?: number;
  readonly isAuthoritative?: boolean;
  /** Records as `owner TYPE data`, or `owner TYPE raw hex` for any RDATA. */
  readonly answers?: readonly string[];
  readonly authorities?: readonly string[];
  readonly additionals?: readonly string[];
};

export type Says = (name: string, type: string, transport: 'UDP' | 'TCP') => Said;

const ALL = [...STANDARD_TYPES, ...SIGNING_TYPES, SOA];
const NAMES = new Map(ALL.map(({ code, name }) => [code, name]));
const TYPES = new Map(ALL.map((type) => [type.name, type]));

/** Floods repeat the same lines. */
const read = new Map<string, ResourceRecord>();

function recordIn(line: string): ResourceRecord {
  const known = read.get(line) ?? readRecord(line);
  read.set(line, known);
  return known;
}

function readRecord(line: string): ResourceRecord {
  const [, owner = '', type = '', data = ''] = /^(\S+) (\S+) (.*)$/.exec(line) ?? [];
  const { code, parse } = TYPES.get(type) ?? { code: 0, parse: () => new Uint8Array() };
  const raw = /^raw (\w+)$/.exec(data)?.[1];
  return record(owner, code, raw === undefined ? parse.call(TYPES.get(type), data, null) : Buffer.from(raw, 'hex'));
}

/** A DNS server on loopback whose answers a test sets, over UDP and TCP or over one of them. */
export class LoopbackDns {
  /** `UDP example.org. SOA`, in order. */
  readonly asked: string[] = [];
  private readonly sockets = new Set<Socket>();
  private udp: UdpSocket | null = null;
  private tcp: Server | null = null;

  private constructor(public says: Says) {}

  static async start(
    { address, port }: { readonly address: string; readonly port: number },
    says: Says,
    transports: readonly ('UDP' | 'TCP')[] = ['UDP', 'TCP'],
  ): Promise<LoopbackDns> {
    const server = new LoopbackDns(says);
    if (transports.includes('TCP')) {
      server.tcp = createServer((socket) => server.take(socket));
      await once(server.tcp.listen(port, address), 'listening');
    }
    if (transports.includes('UDP')) {
      const udp = createSocket('udp4');
      server.udp = udp;
      await once(udp.bind(port, address), 'listening');
      udp.on('message', (octets, from) => {
        const answer = server.answerTo(readMessage(octets), 'UDP');
        if (answer !== null) udp.send(answer, from.port, from.address);
      });
    }
    return server;
  }

  /** Of its TCP listener. */
  get address(): string {
    const { address, port } = this.tcp?.address() as AddressInfo;
    return `${address}:${port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.udp?.close();
    this.tcp?.close();
    if (this.tcp !== null) await once(this.tcp, 'close');
  }

  private take(socket: Socket): void {
    this.sockets.add(socket);
    const frames = new MessageFrames();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (chunk) => {
      frames.add(chunk);
      for (let octets = frames.next(); octets !== null; octets = frames.next()) {
        const answer = this.answerTo(readMessage(octets), 'TCP');
        if (answer !== null) socket.write(framed(answer));
      }
    });
  }

  private answerTo({ header, questions }: Message, transport: 'UDP' | 'TCP'): Buffer | null {
    const [question] = questions;
    const [name, type] = [question!.name.toString(), NAMES.get(question!.type) ?? `TYPE${question!.type}`];
    this.asked.push(`${transport} ${name} ${type}`);
    const said = this.says(name, type, transport);
    if (said === null) return null;
    const { rcode = 0, isAuthoritative = true, answers = [], authorities = [], additionals = [] } = said;
    return writeMessage({
      header: { ...responseHeader(header, rcode), isAuthoritative },
      questions,
      answers: answers.map(recordIn),
      authorities: authorities.map(recordIn),
      additionals: additionals.map(recordIn),
    });
  }
}
