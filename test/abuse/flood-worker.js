import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * The worker thread of flood.ts: sends requests until stopped and reports the outcome. A separate thread keeps the
 * attack from delaying the measured client.
 */
const PIECE = 65_536;
/** Milliseconds before reopening a connection that the service closed, as an attacker would. */
const REOPEN_AFTER = 50;
const MAX_OPENED = 20_000;

const { flood, url, localAddress, seconds } = workerData;
const { hostname, port } = new URL(url);
const report = { opened: 0, closed: 0, failed: 0, octets: 0, requests: 0, statuses: {} };
const sockets = new Set();
const agent = new Agent({ keepAlive: true, localAddress, maxSockets: Infinity });
let hasEnded = false;

const end = () => {
  if (hasEnded) return;
  hasEnded = true;
  for (const socket of sockets) socket.destroy();
  agent.destroy();
  parentPort.postMessage(report);
  parentPort.close();
};
parentPort.on('message', end);
setTimeout(end, seconds * 1000).unref();

if (flood.kind === 'connections') for (let at = 0; at < flood.connections; at++) open();
else void Promise.all(Array.from({ length: flood.parallel }, repeat)).then(end);

function open() {
  if (hasEnded || report.opened === MAX_OPENED) return;
  report.opened += 1;
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  sockets.add(socket);
  socket.once('error', () => (report.failed += 1));
  socket.once('close', () => {
    sockets.delete(socket);
    if (hasEnded) return;
    report.closed += 1;
    if (flood.reopens) setTimeout(open, REOPEN_AFTER).unref();
  });
  read(socket);
  send(socket, Buffer.from(flood.octets), flood.times);
}

function read(socket) {
  if (flood.reads === 'nothing') return void socket.pause();
  if (flood.reads === 'everything') return void socket.on('data', note);
  // Reads a fixed number of octets each second.
  socket.on('readable', () => undefined);
  const timer = setInterval(() => note(socket.read(flood.reads) ?? socket.read() ?? Buffer.alloc(0)), 1000);
  socket.once('close', () => clearInterval(timer));
}

function note(octets) {
  report.octets += octets.length;
  for (const [, status] of octets.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g)) count(status);
}

function count(outcome) {
  report.statuses[outcome] = (report.statuses[outcome] ?? 0) + 1;
}

/** Sends the octets `times` times, as fast as the peer accepts them. */
function send(socket, octets, times) {
  let left = times;
  const each = Math.max(1, Math.floor(PIECE / octets.length));
  const some = () => {
    while (left > 0 && !socket.destroyed) {
      const now = Math.min(left, each);
      left -= now;
      report.requests += now;
      if (!socket.write(Buffer.concat(Array(now).fill(octets)))) return void socket.once('drain', some);
    }
  };
  some();
}

/** Sends requests sequentially; `%n` in the path or the body is the request number. */
async function repeat() {
  while (!hasEnded && report.requests < flood.times) {
    report.requests += 1;
    count(await outcomeOf(report.requests));
  }
}

function outcomeOf(number) {
  const { method, path, headers, body } = flood;
  const numbered = (text) => text.replaceAll('%n', String(number));
  return new Promise((resolve) => {
    const sent = request(new URL(numbered(path), url), { method, headers, agent, localAddress });
    sent.once('error', ({ code }) => resolve(code ?? 'error'));
    sent.once('response', (answer) => {
      answer.on('data', (octets) => (report.octets += octets.length));
      answer.once('error', () => resolve('cut off'));
      answer.once('end', () => resolve(statusOf(answer)));
    });
    sent.end(body === undefined ? undefined : numbered(body));
  });
}

function statusOf({ statusCode, headers }) {
  const saysWhen = headers['retry-after'] !== undefined;
  return [429, 503].includes(statusCode) && !saysWhen ? `${statusCode} without Retry-After` : String(statusCode);
}
