import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the ephemeral port range, so that no other process takes the port before the server listens. */
const LOWEST = 10_000;
const HIGHEST = 32_000;

/** A port of 127.0.0.1 that is free for UDP and TCP. */
export async function freePort() {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port;
  }
}

function isFreeForTcp(port) {
  return new Promise((resolve) => {
    const listener = createServer().once('error', () => resolve(false));
    listener.listen(port, '127.0.0.1', () => listener.close(() => resolve(true)));
  });
}

function isFreeForUdp(port) {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').once('error', () => resolve(false));
    socket.bind(port, '127.0.0.1', () => socket.close(() => resolve(true)));
  });
}
