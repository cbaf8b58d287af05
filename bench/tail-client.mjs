/**
 * Creates records on some connections without a pause and times each request, to find the slowest. Builds requests on
 * the fly, since a minute's worth would not fit into memory. Reads its plan from stdin, writes figures in milliseconds
 * to stdout.
 */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { round } from './statistics.mjs';

const HEAD_END = '\r\n\r\n';

const { url, template, connections, seconds, tag } = JSON.parse(await text(process.stdin));
const { hostname, port } = new URL(url);
const latencies = [];
const statuses = {};
const end = performance.now() + seconds * 1000;
await Promise.all(Array.from({ length: connections }, (_, client) => work(client)));
latencies.sort((left, right) => left - right);
const percentile = (share) => round(latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))], 1);
process.stdout.write(
  JSON.stringify({
    rate: Math.round(latencies.length / seconds),
    statuses,
    p50: percentile(0.5),
    p99: percentile(0.99),
    p999: percentile(0.999),
    max: percentile(1),
  }),
);

async function work(client) {
  const socket = connect(Number(port), hostname).setNoDelay();
  const answers = answersOf(socket);
  for (let at = 0; performance.now() < end; at += 1) {
    const pick = template.picks[(at + client) % template.picks.length];
    const started = performance.now();
    socket.write(requestOf({ ...pick, serial: `${tag}-${client}-${at}` }));
    const { value: status } = await answers.next();
    latencies.push(performance.now() - started);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
  socket.destroy();
}

function requestOf(values) {
  const fill = (words) => words.replaceAll(/%(\w+)%/g, (_, name) => String(values[name]));
  const body = fill(template.body);
  const headers = Object.entries({ ...template.headers, Host: hostname, 'Content-Length': body.length });
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return [`${template.method} ${fill(template.path)} HTTP/1.1`, ...lines, '', body].join('\r\n');
}

/** The status of each answer, as soon as all of it is there. Answers are ASCII and have a Content-Length. */
async function* answersOf(socket) {
  let received = '';
  for await (const piece of socket) {
    received += piece.toString('latin1');
    const headEnd = received.indexOf(HEAD_END);
    const length = Number(/^content-length: (\d+)/im.exec(received.slice(0, headEnd))?.[1]);
    if (headEnd < 0 || received.length < headEnd + HEAD_END.length + length) continue;
    yield received.slice(9, 12);
    received = '';
  }
}
