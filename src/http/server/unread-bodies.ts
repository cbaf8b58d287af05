import type { Server } from 'node:http';

/** How long the rest of a body may take once its request is answered, in milliseconds; the client reads meanwhile. */
const LINGER = 1000;

/** Ends connections whose client goes on sending what nobody will read, so that 10 GB after a 401 cost nothing. */
export function endUnreadBodies(server: Server): void {
  server.prependListener('request', (request, response) => {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    if (length === undefined && coding === undefined) return;
    response.once('finish', () => {
      if (!request.complete) setTimeout(() => !request.complete && request.socket.destroy(), LINGER).unref();
    });
  });
}
