import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of 127.0.0.1 that is free for UDP and TCP. */
export async function freePort() {
  for (;;) {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address();
    const isFree = await isFreeForUdp(port);
    await new Promise((resolve) => listener.close(resolve));
    if (isFree) return port;
  }
}

function isFreeForUdp(port) {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
  });
}
