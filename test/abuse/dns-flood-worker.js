import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { clearTimeout } from 'node:timers';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * The worker thread of dns-flood.ts: sends messages to a name server and reports the responses. A separate thread keeps
 * the attack from delaying the measured client.
 */
const DATAGRAMS_AT_ONCE = 32;
/** In milliseconds. */
const LONGEST_ANSWER = 500;

const { port, localAddress, flood, seconds } = workerData;
const report = { sent: 0, answers: 0, opened: 0, closed: 0, octets: 0 };
const sockets = new Set();
let datagrams = null;
let hasEnded = false;

const end = () => {
  if (hasEnded) return;
  hasEnded = true;
  for (const socket of sockets) socket.destroy();
  // Node.js 20 aborts when a datagram arrives in a thread that is being terminated, as this one is once it has reported.
  datagrams?.close();
  parentPort.postMessage(report);
  parentPort.close();
};
await once(parentPort, 'message');
parentPort.on('message', end);
setTimeout(end, seconds * 1000).unref();

if (flood.kind === 'datagrams') await sendDatagrams(flood).then(end);
else await openStreams(flood);

/** Sends all messages `times` times: as fast as this thread can, or as fast as the name server accepts them. */
async function sendDatagrams({ messages, times, probe, perSecond = Infinity }) {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 2 ** 20 });
  datagrams = socket;
  socket.on('message', () => (report.answers += 1));
  socket.bind({ address: localAddress });
  await once(socket, 'listening');
  const begun = performance.now();
  for (let round = 0; round < times && !hasEnded; round += 1)
    for (const message of messages) {
      socket.send(message, port, '127.0.0.1');
      report.sent += 1;
      while (((performance.now() - begun) / 1000) * perSecond < report.sent && !hasEnded) await delay(1);
      if (report.sent % DATAGRAMS_AT_ONCE === 0) await (probe === null ? delay(0) : taken(socket, probe));
      if (hasEnded) break;
    }
  await delay(300);
}

/** Sends a query after the flood and waits for its response. */
async function taken(socket, probe) {
  const id = Buffer.from(probe).readUInt16BE(0);
  await new Promise((resolve) => {
    const timer = setTimeout(finish, LONGEST_ANSWER);
    function finish() {
      clearTimeout(timer);
      socket.off('message', look);
      resolve();
    }
    function look(answer) {
      if (answer.readUInt16BE(0) === id) finish();
    }
    socket.on('message', look);
    socket.send(probe, port, '127.0.0.1');
  });
}

/** Connections that send octets in bulk or one each second and read all or nothing, `parallel` at a time. */
async function openStreams({ streams, parallel, ...manner }) {
  const left = [...streams];
  const openOthers = async () => {
    while (left.length > 0 && !hasEnded) await openStream(left.pop(), manner);
  };
  await Promise.all(Array.from({ length: parallel }, openOthers));
  end();
}

async function openStream(octets, { isSlow, isReading, ends }) {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  sockets.add(socket);
  report.opened += 1;
  socket.on('error', () => undefined);
  if (isReading) socket.on('data', (chunk) => (report.octets += chunk.length));
  else socket.pause();
  // Not by events.once, which an error before it would reject.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  if (isSlow) await sendSlowly(socket, octets);
  else if (ends) socket.end(octets);
  else socket.write(octets);
  await closed;
  sockets.delete(socket);
  report.closed += 1;
}

async function sendSlowly(socket, octets) {
  for (let at = 0; at < octets.length && !socket.destroyed; at += 1) {
    socket.write(octets.slice(at, at + 1));
    await delay(1000);
  }
}
