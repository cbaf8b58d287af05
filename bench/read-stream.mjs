/** Reads and discards one long response, in a separate process next to the load: `read-stream.mjs <url> <token>`. */
import { get } from 'node:http';
import { performance } from 'node:perf_hooks';

/** Enough for the last record, by which the caller checks completeness. */
const TAIL = 1000;

const [url, token] = process.argv.slice(2);
const sent = performance.now();
const seconds = () => (performance.now() - sent) / 1000;

get(url, { headers: { 'X-Auth-Token': token } }, (response) => {
  let firstByte = null;
  let octets = 0;
  let last = [];
  response.on('data', (piece) => {
    firstByte ??= seconds();
    octets += piece.length;
    last = [last.at(-1) ?? '', piece];
  });
  response.on('end', () => {
    const tail = last.map(String).join('').slice(-TAIL);
    process.stdout.write(JSON.stringify({ firstByte, total: seconds(), megabytes: octets / 1e6, tail }));
  });
});
