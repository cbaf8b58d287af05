import { createSocket } from 'node:dgram';
import { randomInt } from 'node:crypto';
import { clearTimeout, setTimeout } from 'node:timers';
import { decode, encode } from 'dns-packet';

/** A server that does not answer on loopback by then has lost the question. */
const PATIENCE = 500;

/**
 * Asks a name server on loopback over UDP.
 * @returns the answer as dns-packet reads it, or null when none came
 */
export function ask(port, name, type = 'SOA', patience = PATIENCE) {
  const question = { type: 'query', id: randomInt(65_536), questions: [{ type, name: name.replace(/\.$/, '') }] };
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    const end = (answer) => {
      clearTimeout(timer);
      socket.close();
      resolve(answer);
    };
    const timer = setTimeout(end, patience, null);
    socket.on('message', (octets) => end(decode(octets)));
    // No server listens on that port.
    socket.on('error', () => end(null));
    socket.connect(port, '127.0.0.1', () => socket.send(encode(question)));
  });
}

/** The serial that a name server serves; null where it serves no such zone, or does not answer. */
export async function serialOf(port, zone, patience) {
  const answer = await ask(port, zone, 'SOA', patience);
  return answer?.answers.find(({ type }) => type === 'SOA')?.data.serial ?? null;
}
