import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { decode, encode } from 'dns-packet';

/** In milliseconds; NSD answers at this rate only with its limit disabled. */
const PERIOD = 2;

/** Asks a name server on loopback for a zone's serial all the time. */
export async function watchSerial(port, zone) {
  const query = encode({ type: 'query', id: 1, questions: [{ type: 'SOA', name: zone.replace(/\.$/, '') }] });
  const socket = createSocket('udp4');
  const waiting = new Set();
  let serial = null;
  socket.on('message', (octets) => {
    serial = decode(octets).answers.find(({ type }) => type === 'SOA')?.data.serial ?? serial;
    for (const one of waiting) if (isReached(one.serial, serial)) one.reached(performance.now());
  });
  socket.on('error', () => undefined);
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const timer = setInterval(() => socket.send(query), PERIOD);
  return {
    /** The instant of performance.now() at which that serial or a later one is served. */
    served: (wanted) => {
      if (isReached(wanted, serial)) return Promise.resolve(performance.now());
      return new Promise((resolve) => {
        const one = { serial: wanted, reached: (at) => waiting.delete(one) && resolve(at) };
        waiting.add(one);
      });
    },
    close: () => {
      clearInterval(timer);
      socket.close();
    },
  };
}

/** RFC 1982 §3.2. */
function isReached(wanted, serial) {
  return serial !== null && ((serial - wanted) | 0) >= 0;
}
