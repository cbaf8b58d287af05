/**
 * Load for a server that ends the connection after each answer, as PowerDNS does: a new connection for each request.
 * autocannon would write its next request into the connection that is being closed, and wait for the answer.
 */
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

/** Sends until the time or the requests run out; `prepared` has the requests of each client. */
export async function loadClosing({ url, seconds, prepared, repeats }) {
  const { hostname, port } = new URL(url);
  const answers = { statuses: {}, latencies: [], errors: 0 };
  const texts = prepared.map((requests) => requests.map((request) => textOf(request, hostname)));
  const before = process.cpuUsage();
  const started = performance.now();
  const ends = started + seconds * 1000;
  await Promise.all(texts.map((own) => sendAll(own, { hostname, port: Number(port), ends, repeats }, answers)));
  return { ...answers, elapsed: (performance.now() - started) / 1000, cpu: process.cpuUsage(before) };
}

async function sendAll(texts, { hostname, port, ends, repeats }, answers) {
  for (let at = 0; performance.now() < ends && (repeats || at < texts.length); at += 1) {
    const sent = performance.now();
    const status = await send(texts[at % texts.length], hostname, port);
    if (status === null) answers.errors += 1;
    else {
      answers.statuses[status] = (answers.statuses[status] ?? 0) + 1;
      answers.latencies.push(performance.now() - sent);
    }
  }
}

/** The status of the complete response, without waiting for the server to close; `null`: no response. */
function send(text, host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true });
    let answer = '';
    socket.write(text);
    socket.setEncoding('latin1');
    socket.on('data', (piece) => {
      answer += piece;
      if (isWhole(answer)) resolve(answer.slice(STATUS_AT, STATUS_AT + 3));
    });
    socket.on('error', () => resolve(null));
    socket.on('close', () => resolve(null));
  });
}

const STATUS_AT = 'HTTP/1.1 '.length;

function isWhole(answer) {
  const end = answer.indexOf('\r\n\r\n');
  if (end < 0) return false;
  const length = /^content-length: *(\d+)/im.exec(answer.slice(0, end))?.[1] ?? 0;
  return answer.length >= end + 4 + Number(length);
}

function textOf({ method, path, headers, body = '' }, host) {
  const lines = Object.entries({ ...headers, Host: host, 'Content-Length': Buffer.byteLength(body) });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}
