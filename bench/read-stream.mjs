/** Reads one long answer and throws it away, in a process of its own beside the load: `read-stream.mjs <url> <token>`. */
import { get } from 'node:http';
import { performance } from 'node:perf_hooks';

const [url, token] = process.argv.slice(2);
const sent = performance.now();
const seconds = () => (performance.now() - sent) / 1000;

get(url, { headers: { 'X-Auth-Token': token } }, (response) => {
  let firstByte = null;
  let octets = 0;
  let tail = '';
  response.on('data', (piece) => {
    firstByte ??= seconds();
    octets += piece.length;
    tail = piece.toString('latin1').slice(-2);
  });
  response.on('end', () => {
    const isWhole = response.statusCode === 200 && tail.endsWith('}');
    process.stdout.write(JSON.stringify({ firstByte, total: seconds(), megabytes: octets / 1e6, isWhole }));
  });
});
