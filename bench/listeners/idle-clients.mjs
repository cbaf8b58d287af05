/**
 * Idle connections: `node idle-clients.mjs <http | dns> <url> <token> <count>`, as a child process. Each connection gets
 * one answer, and then waits. Says how many got an answer.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

const [protocol, url, token, count] = process.argv.slice(2);
const AT_ONCE = 64;
const { hostname, port } = new URL(url);
/** Asks for the SOA of `idle.example.`, with its length in front (RFC 1035 §4.2.2). */
const QUERY = Buffer.from('\0\x1e\0\x01\0\0\0\x01\0\0\0\0\0\0\x04idle\x07example\0\0\x06\0\x01', 'latin1');
const REQUEST = `GET /v1/domains?limit=1 HTTP/1.1\r\nHost: ${hostname}\r\nX-Auth-Token: ${token}\r\n\r\n`;

let answered = 0;
await Promise.all(Array.from({ length: AT_ONCE }, (_, first) => open(first)));
process.send(answered);

async function open(first) {
  for (let at = first; at < Number(count); at += AT_ONCE) {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.write(protocol === 'dns' ? QUERY : REQUEST);
    const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [null])]);
    if (data !== null) answered += 1;
    socket.resume();
  }
}
