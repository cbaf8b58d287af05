import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { DomainName } from '../../src/dns/name.js';
import { SOA } from '../../src/dns/rdata/index.js';
import { MetaType, RecordClass, Opcode, Rcode } from '../../src/dns/message/codes.js';
import { requestHeader, responseHeader } from '../../src/dns/message/header.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { MessageFrames } from '../../src/dns/message/message-frames.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { framed, writeMessage } from '../../src/dns/message/message-writer.js';

export const record = (owner: string, type: number, rdata: Uint8Array, ttl = 60): ResourceRecord => ({
  owner: DomainName.parse(owner),
  type,
  class: RecordClass.IN,
  ttl,
  rdata,
});
export const soaRecord = (owner: string, serial: number, refresh = 3600): ResourceRecord =>
  record(
    owner,
    SOA.code,
    SOA.parse(`ns1.example.org. hostmaster.example.org. ${serial} ${refresh} 600 86400 300`, null),
  );
export const addressRecord = (owner: string, last: number, ttl?: number): ResourceRecord =>
  record(owner, 1, Uint8Array.of(192, 0, 2, last), ttl);
export const dnsAnswer = (query: Message, answers: readonly ResourceRecord[], rcode: number = Rcode.NOERROR): Buffer =>
  framed(writeMessage({ header: responseHeader(query.header, rcode), questions: query.questions, answers }));

/** The zone that is asked for, as an absolute name. */
export const zoneOf = ({ questions: [question] }: Message): string => question!.name.toString();

/** Responses to an SOA query and to an AXFR; the socket can send more later. */
export interface MasterManners {
  readonly soa?: (query: Message, socket: Socket) => Buffer | null;
  readonly axfr: (query: Message, socket: Socket) => readonly Buffer[];
}

/** A record every 50 ms, without end. */
export function dribble(query: Message, socket: Socket): Buffer[] {
  const timer = setInterval(() => socket.write(dnsAnswer(query, [addressRecord('www.example.net.', 1)])), 50);
  socket.once('close', () => clearInterval(timer));
  return [dnsAnswer(query, [soaRecord(zoneOf(query), 7)])];
}

/** The same message again and again, as fast as it is taken. */
export function endless(query: Message, socket: Socket, more: Buffer): Buffer[] {
  const send = (): void => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on('drain', send);
  setImmediate(send);
  return [dnsAnswer(query, [soaRecord(zoneOf(query), 7)])];
}

/** A NOTIFY of a zone, as its masters send them. */
export const notifyOf = (zone: string): Buffer =>
  writeMessage({
    header: { ...requestHeader(1, Opcode.NOTIFY), isAuthoritative: true },
    questions: [{ name: DomainName.parse(zone), type: SOA.code, class: RecordClass.IN }],
  });

/** A master on loopback that behaves as the test says, for whichever zone it is asked. */
export class HostileMaster {
  /** How many connections it was opened. */
  connections = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    public manners: MasterManners,
  ) {
    server.on('connection', (socket) => this.take(socket));
  }

  static async start(manners: MasterManners, host = '127.0.0.1', port = 0): Promise<HostileMaster> {
    const server = createServer();
    await once(server.listen(port, host), 'listening');
    return new HostileMaster(server, manners);
  }

  /** As zones name it. */
  get address(): string {
    // The address of a server on a TCP port.
    const { address, port } = this.server.address() as AddressInfo;
    return `${address}:${port}`;
  }

  /** How many connections are open. */
  get open(): number {
    return this.sockets.size;
  }

  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  stop(): void {
    this.drop();
    this.server.close();
  }

  private take(socket: Socket): void {
    this.connections += 1;
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.sockets.delete(socket));
    const frames = new MessageFrames();
    socket.on('data', (chunk) => {
      frames.add(chunk);
      for (let octets = frames.next(); octets !== null; octets = frames.next()) this.reply(socket, readMessage(octets));
    });
  }

  private reply(socket: Socket, query: Message): void {
    const isTransfer = query.questions[0]?.type === MetaType.AXFR;
    const soa = this.manners.soa ?? (() => dnsAnswer(query, [soaRecord(zoneOf(query), 7)]));
    const sent = isTransfer ? this.manners.axfr(query, socket) : [soa(query, socket)];
    for (const octets of sent) if (octets !== null) socket.write(octets);
  }
}
