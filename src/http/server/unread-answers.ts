import type { Server } from 'node:http';
import { Server as TlsServer } from 'node:tls';
import type { Socket } from 'node:net';
import { ThrottledLogger } from '../../common/throttled-logger.js';

/** Octets a second that a reader has to take on average. */
const LEAST_RATE = 4096;
/** How often all connections are looked at while one of them has time to take something. */
const LOOKS = 3;

/** How many octets the reader of a connection had taken, and when. */
interface Mark {
  readonly at: number;
  readonly taken: number;
}

/**
 * Closes connections whose client does not read what waits for it, or reads it too slowly (behaviour 1.9). While nothing
 * waits there is no hurry: a request may take as long as it needs.
 * @param seconds that a client has to take something
 */
export function endUnreadAnswers(server: Server, seconds: number): void {
  const marks = new Map<Socket, Mark | null>();
  const warning = new ThrottledLogger();
  const look = (): void => {
    for (const [socket, mark] of marks) {
      const waits = socket.writableLength > 0;
      if (!waits) marks.set(socket, null);
      else if (mark === null || hasGotOn(socket, mark, seconds)) marks.set(socket, markOf(socket));
      else if (performance.now() - mark.at >= seconds * 1000) {
        warning.warn(`${String(socket.remoteAddress)} reads its answers too slowly; its connection is closed`);
        socket.destroy();
      }
    }
  };
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    marks.set(socket, null);
    socket.once('close', () => marks.delete(socket));
  });
  server.once('listening', () => {
    const timer = setInterval(look, (seconds * 1000) / LOOKS).unref();
    server.once('close', () => clearInterval(timer));
  });
}

function hasGotOn(socket: Socket, mark: Mark, seconds: number): boolean {
  return markOf(socket).taken - mark.taken >= LEAST_RATE * seconds;
}

function markOf(socket: Socket): Mark {
  // Without what the kernel has not taken yet.
  return { at: performance.now(), taken: socket.bytesWritten - socket.writableLength };
}
