import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';

const NOTIFY = 4;

/** Answers each NOTIFY as a name server does, and remembers when it came. */
export async function startNotifySink() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  let arrived = () => undefined;
  socket.on('message', (octets, { port, address }) => {
    const at = performance.now();
    if (((octets[2] >> 3) & 15) !== NOTIFY) return;
    socket.send(answerTo(octets), port, address);
    arrived(at);
  });
  return {
    port: socket.address().port,
    /** The instant of performance.now() at which the next one comes. */
    next: () => new Promise((resolve) => (arrived = resolve)),
    close: () => socket.close(),
  };
}

/** Header and question (RFC 1996 §4.7), of a message that is not signed. */
function answerTo(notify) {
  let end = 12;
  while (notify[end] !== 0) end += notify[end] + 1;
  const answer = Buffer.from(notify.subarray(0, end + 5));
  answer[2] |= 0x80;
  answer.fill(0, 6, 12);
  return answer;
}
