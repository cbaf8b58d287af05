import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Stands between a client and a server on loopback, and is as bad a line as a test wants. */
export interface TcpProxy {
  readonly port: number;
  /**
   * Delays later server output by `milliseconds`, keeping its order. `Infinity` drops it and everything after it on
   * that connection.
   */
  delayAnswers(milliseconds: number): void;
  /** Resets the connections after `answers` more server responses. */
  resetAfter(answers: number): void;
  /** Switches to another server and cuts existing connections. */
  lead(target: number): void;
  /** Switches new connections to another server. */
  leadNext(target: number): void;
  close(): Promise<void>;
}

/** @param own the port to listen on; any if none is given */
export async function startTcpProxy(target: number, own = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let latency = 0;
  let port = target;
  let answersLeft = Infinity;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const join = (client: Socket): void => {
    const server = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(server);
    let isLost = false;
    let arrived = Promise.resolve();
    server.on('data', (octets) => {
      answersLeft -= 1;
      if (answersLeft < 0) client.resetAndDestroy();
      isLost ||= latency === Infinity;
      if (isLost) return;
      const [before, due] = [arrived, performance.now() + latency];
      arrived = before.then(() => delay(Math.max(0, due - performance.now()))).then(() => void client.write(octets));
    });
  };
  const listener = createServer(join).listen(own, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  return {
    port: (listener.address() as AddressInfo).port,
    delayAnswers: (milliseconds) => (latency = milliseconds),
    resetAfter: (answers) => (answersLeft = answers),
    lead: (next) => {
      port = next;
      cut();
    },
    leadNext: (next) => (port = next),
    close: async () => {
      cut();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
