import type { Config } from '../config/config.js';
import type { Services } from '../plugins/command.js';
import { readableListenError, urlOf } from './listening.js';

/** A name server that listens, and tells the pool of changes. */
export interface RunningNameServer {
  /** `dns://127.0.0.1:5354` (RFC 4501), with the port that was really taken. */
  readonly url: string;
  /** Answers what was asked, for as long as the configured grace. */
  stop(): Promise<void>;
}

/** The same where nothing can be written: zones of others are not fetched, and what servers have is not noted. */
export async function startNameServerOnStandby(services: Services, { mdns, api }: Config): Promise<RunningNameServer> {
  const { NameServer } = await import('../publishing/name-server/name-server.js');
  const { StandbyPublisher } = await import('../publishing/pool/standby-publisher.js');
  const server = services.get(NameServer);
  try {
    const address = await server.start();
    services.get(StandbyPublisher).start();
    return { url: urlOf(address, 'dns'), stop: () => server.stop(api.shutdownGrace) };
  } catch (error) {
    throw readableListenError(error, mdns.listen, 'service:mdns');
  }
}

/** @throws Error with one line for the operator where it cannot listen */
export async function startNameServer(services: Services, { mdns, api }: Config): Promise<RunningNameServer> {
  // Most programs have none.
  const { NameServer } = await import('../publishing/name-server/name-server.js');
  const { Publisher } = await import('../publishing/pool/publisher.js');
  const { InboundTransfers } = await import('../publishing/secondary/inbound-transfers.js');
  const [server, publisher, transfersIn] = [
    services.get(NameServer),
    services.get(Publisher),
    services.get(InboundTransfers),
  ];
  try {
    const address = await server.start();
    // Who is told of a change asks for it at once.
    publisher.start();
    transfersIn.start();
    return { url: urlOf(address, 'dns'), stop: () => server.stop(api.shutdownGrace) };
  } catch (error) {
    throw readableListenError(error, mdns.listen, 'service:mdns');
  }
}
