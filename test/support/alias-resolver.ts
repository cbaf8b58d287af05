import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { responseHeader } from '../../src/dns/message/header.js';
import { Rcode } from '../../src/dns/message/codes.js';
import { MessageFrames } from '../../src/dns/message/message-frames.js';
import { readMessage } from '../../src/dns/message/message-reader.js';
import { framed, writeMessage } from '../../src/dns/message/message-writer.js';
import type { Message, ResourceRecord } from '../../src/dns/message/message.js';
import { A, AAAA } from '../../src/dns/rdata/address-types.js';
import { record } from './hostile-master.js';

/** What the resolver says of a name: its addresses, an RCODE, or octets of its own. */
export type Said = readonly string[] | number | ((query: Message) => Buffer | null);

/** A resolver whose answers a test sets, over TCP. */
export class AliasResolver {
  readonly said = new Map<string, Said>();
  ttl = 1;
  /** Names and types that were asked for. */
  readonly asked: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<AliasResolver> {
    const server = createServer();
    const resolver = new AliasResolver(server);
    server.on('connection', (socket) => resolver.serve(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return resolver;
  }

  get address(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  say(name: string, said: Said): void {
    this.said.set(name, said);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    const frames = new MessageFrames();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('data', (chunk) => {
      frames.add(chunk);
      for (let octets = frames.next(); octets !== null; octets = frames.next()) {
        const answer = this.answerTo(readMessage(octets));
        if (answer !== null) socket.write(answer);
      }
    });
  }

  private answerTo(query: Message): Buffer | null {
    const [question] = query.questions;
    const name = question?.name.toString() ?? '.';
    const type = question?.type === AAAA.code ? AAAA : A;
    this.asked.push(`${name} ${type.name}`);
    const said = this.said.get(name) ?? Rcode.NXDOMAIN;
    if (typeof said === 'function') return said(query);
    if (typeof said === 'number') return saying(query, [], said);
    const addresses = said.filter((address) => address.includes(':') === (type === AAAA));
    return saying(
      query,
      addresses.map((address) => record(name, type.code, type.parse(address, null), this.ttl)),
    );
  }
}

export function saying(query: Message, answers: readonly ResourceRecord[], rcode: number = Rcode.NOERROR): Buffer {
  return framed(writeMessage({ header: responseHeader(query.header, rcode), questions: query.questions, answers }));
}
