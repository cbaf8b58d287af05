import { connect, type Socket } from 'node:net';

/** The octets that a connection received until its end or the timeout. */
export interface RawAnswer {
  readonly text: string;
  /** The status of the first response. */
  readonly status: number;
  readonly isClosed: boolean;
}

/** Octets exactly as the test wrote them, sent to the service, and everything that came back. */
export async function sendRaw(url: string, octets: string | Buffer, timeoutMs = 1500): Promise<RawAnswer> {
  const socket = openSocket(url);
  socket.write(octets);
  return collect(socket, timeoutMs);
}

/** @param localAddress from which to connect, such as 127.0.0.2 */
export function openSocket(url: string, localAddress?: string): Socket {
  const { hostname: host, port } = new URL(url);
  // A refusal may reach us as a reset while we are still sending.
  return connect({ host, port: Number(port), ...(localAddress && { localAddress }) }).on('error', () => undefined);
}

/** Reads until the peer closes, or for `timeoutMs` milliseconds. */
export function collect(socket: Socket, timeoutMs = 1500): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const finish = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      resolve({ text, isClosed, status: Number(/^HTTP\/1\.1 (?!100)(\d{3})/m.exec(text)?.[1] ?? 0) });
    };
    const timer = setTimeout(() => finish(false), timeoutMs);
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('close', () => finish(true));
  });
}

/** The text that `isEnough` accepts, as soon as it is there. */
export function receive(socket: Socket, isEnough: (text: string) => boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (isEnough(text)) resolve(text);
    });
    socket.once('close', () => reject(new Error(`the connection ended after ${JSON.stringify(text)}`)));
  });
}
