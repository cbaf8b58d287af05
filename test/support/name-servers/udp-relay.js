import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { freePort } from './ports.js';

const NOTIFY = 4;

/**
 * A UDP relay in front of a name server that drops NOTIFY messages on demand.
 * @param first the loopback port of the server
 * @param own the listen port
 */
export async function startUdpRelay(first, own) {
  let target = first;
  const port = own ?? (await freePort());
  const ways = new Map();
  const notifies = [];
  let toLose = 0;
  const front = createSocket('udp4');
  const wayOf = ({ port: sender, address }) => {
    const key = `${address} ${sender}`;
    if (!ways.has(key)) {
      const back = createSocket('udp4').on('message', (octets) => front.send(octets, sender, address));
      // No server listens behind: the sender gets no error, as on a network.
      back.on('error', () => undefined);
      ways.set(key, back);
    }
    return ways.get(key);
  };
  front.on('message', (octets, sender) => {
    if (isNotify(octets)) {
      const isLost = toLose > 0;
      toLose -= isLost ? 1 : 0;
      notifies.push({ at: performance.now(), isLost });
      if (isLost) return;
    }
    wayOf(sender).send(octets, target, '127.0.0.1');
  });
  front.bind(port, '127.0.0.1');
  await once(front, 'listening');
  return {
    port,
    /** Each `{ at, isLost }`, in milliseconds of performance.now(). */
    notifies,
    leadTo: (server) => {
      target = server;
    },
    loseNotifies: (count) => {
      toLose = count;
    },
    close: () => {
      for (const socket of [front, ...ways.values()]) socket.close();
    },
  };
}

function isNotify(octets) {
  return octets.length >= 12 && ((octets[2] >> 3) & 0xf) === NOTIFY && (octets[2] & 0x80) === 0;
}
