/**
 * Sends GETs at a steady pace, independent of earlier responses, and times each from its due time: the latency for
 * others on a busy server. Reads its plan from stdin, writes latency percentiles to stdout.
 */
import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { round } from './statistics.mjs';

const { url, template, perSecond, seconds } = JSON.parse(await text(process.stdin));
const agent = new Agent({ keepAlive: true });
const started = performance.now();
const answers = [];
for (let at = 0; at < perSecond * seconds; at += 1) {
  const due = started + (at * 1000) / perSecond;
  await delay(Math.max(0, due - performance.now()));
  answers.push(get(due, template.picks[at % template.picks.length]));
}
const settled = await Promise.all(answers);
agent.destroy();
const latencies = settled.filter((latency) => latency !== null).sort((left, right) => left - right);
const percentile = (share) => round(latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))], 1);
const failed = settled.length - latencies.length;
process.stdout.write(JSON.stringify({ p50: percentile(0.5), p99: percentile(0.99), max: percentile(1), failed }));

/** Milliseconds from when it was due until the whole answer, `null` when that was no success. */
function get(due, values) {
  const path = template.path.replaceAll(/%(\w+)%/g, (_, name) => values[name]);
  return new Promise((resolve) => {
    request(new URL(path, url), { agent, headers: template.headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode === 200 ? performance.now() - due : null));
    })
      .once('error', () => resolve(null))
      .end();
  });
}
