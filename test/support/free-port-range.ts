import { connect } from 'node:net';
import { freePort } from './name-servers/name-servers.js';

/** The first of `count` consecutive free ports. */
export async function freePortRange(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const taken = await Promise.all(Array.from({ length: count }, (_, at) => isTaken(first + at)));
    if (!taken.includes(true)) return first;
  }
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
