/**
 * Readers of the stream of events: `node readers.mjs <url> <token> <count>`, as a child process. It says when all of them read,
 * and answers each message with how many events came in all, and when the last reader had each of them.
 */
import { request } from 'node:http';
import { performance } from 'node:perf_hooks';

const [url, token, readers] = process.argv.slice(2);
const EVENT = 'event: zonewright.record';
/** When the last reader had the event of that number, and how many have it. */
const lastAt = [];
const had = [];
let total = 0;

await Promise.all(Array.from({ length: Number(readers) }, read));
process.send('reading');
process.on('message', () => {
  const whole = had.filter((count) => count === Number(readers)).length;
  process.send({ total, whole, lastAt });
});

function read() {
  let [own, rest] = [0, ''];
  const take = (text) => {
    const all = rest + text;
    const events = all.split(EVENT).length - 1;
    rest = all.slice(all.lastIndexOf('\n') + 1);
    const now = performance.timeOrigin + performance.now();
    for (const end = own + events; own < end; own += 1) {
      lastAt[own] = now;
      had[own] = (had[own] ?? 0) + 1;
    }
    total += events;
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/v1/events`, { agent: false, headers: { 'X-Auth-Token': token } }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`a stream is answered ${answer.statusCode}`));
      answer.setEncoding('latin1').on('data', take);
      // The stream sends its start position immediately.
      answer.once('data', resolve);
    });
    sent.once('error', reject);
    sent.end();
  });
}
