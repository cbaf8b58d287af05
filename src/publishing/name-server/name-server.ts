import { lookup } from 'node:dns/promises';
import { type EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { PublishingOptions } from '../publishing.options.js';
import { ZoneSource } from '../transfers/zone-source.js';
import { QueryGate } from './query-gate.js';
import { QueryHandler } from './query-handler.js';
import { TcpServer } from './tcp-server.js';
import { UdpServer } from './udp-server.js';
import { NotifyHandler } from './notify-handler.js';
import { UpdateHandler } from './update-handler.js';

/** How often another free port is tried, when TCP has one that UDP has not. */
const ATTEMPTS = 10;

/** The DNS server that hands zones to name servers, over UDP and TCP at one address and port (behaviour 12.1). */
@Injectable()
export class NameServer {
  private running: { readonly connections: TcpServer; readonly datagrams: UdpServer } | null = null;

  constructor(
    private readonly options: PublishingOptions,
    private readonly zones: ZoneSource,
    private readonly notifies: NotifyHandler,
    private readonly updates: UpdateHandler,
    private readonly clock: Clock,
  ) {}

  /**
   * @returns where it listens, with the port that was really taken
   * @throws Error of Node, with its `code`: an address that is taken, or not there
   */
  async start(): Promise<AddressInfo> {
    await this.updates.start();
    const { host, port } = this.options.listen;
    // One of the addresses of a name, for both transports.
    const { address } = await lookup(host);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.listen(address, port);
      } catch (error) {
        if (port !== 0 || attempt === ATTEMPTS || !isTaken(error)) throw error;
      }
    }
  }

  /**
   * Takes nothing more, and resolves when what was asked is answered.
   * @param grace in seconds; transfers that take longer are cut off
   */
  async stop(grace: number): Promise<void> {
    const { running } = this;
    this.running = null;
    await running?.connections.close(grace);
    running?.datagrams.close();
  }

  private async listen(host: string, port: number): Promise<AddressInfo> {
    const { limits } = this.options;
    const admission = new QueryGate(this.options, this.updates, this.clock);
    const answers = new QueryHandler(this.zones, this.notifies, this.updates);
    const connections = new TcpServer(admission, answers, limits);
    const datagrams = new UdpServer(admission, answers, limits, host.includes(':') ? 6 : 4);
    this.running = { connections, datagrams };
    try {
      await listening(connections.server, (server) => server.listen({ host, port }));
      // Of a server that listens at an address and port.
      const address = connections.server.address() as AddressInfo;
      await listening(datagrams.socket, (socket) => socket.bind({ address: host, port: address.port }));
      connections.watch();
      datagrams.watch();
      return address;
    } catch (error) {
      await this.stop(0);
      throw error;
    }
  }
}

/** A socket may say that it listens before the call that makes it listen returns. */
async function listening<T extends EventEmitter>(socket: T, listen: (socket: T) => void): Promise<void> {
  const said = once(socket, 'listening');
  listen(socket);
  await said;
}

function isTaken(error: unknown): boolean {
  return (error as { readonly code?: unknown }).code === 'EADDRINUSE';
}
