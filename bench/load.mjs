/**
 * One measurement in a separate process, so that it can have its own core. Reads requests from stdin, sends them with
 * autocannon, and writes figures to stdout. Builds every request before the clock starts.
 */
import { performance } from 'node:perf_hooks';
import { text } from 'node:stream/consumers';
import autocannon from 'autocannon';
import { loadClosing } from './closing-client.mjs';

/** How many requests a connection repeats where repeating is harmless. */
const CYCLE = 500;
const SAMPLE_MS = 50;
/** Timeout of an unanswered request. */
const TIMEOUT_SECONDS = 30;
/** Time limit for a template with a fixed request count: slow requests run to their end. */
const PATIENCE_SECONDS = 120;

const plan = JSON.parse(await text(process.stdin));
const prepared = prepare(plan.template, plan);
const figures = plan.closes ? await loadWithConnects(plan) : await loadWithAutocannon(plan);
process.stdout.write(`${JSON.stringify(figures)}\n`);

function loadWithAutocannon({ url, connections, seconds, template }) {
  let client = 0;
  const options = {
    url,
    connections,
    duration: seconds,
    sampleInt: SAMPLE_MS,
    timeout: TIMEOUT_SECONDS,
    setupClient: (connection) => connection.setRequests(prepared[client++]),
    ...(template.order === 'cycle' ? {} : { amount: prepared.reduce((sum, requests) => sum + requests.length, 0) }),
  };
  return new Promise((resolve, reject) => {
    let started;
    let before;
    const run = autocannon(options, (error, result) => {
      if (error) return reject(error);
      const elapsed = (performance.now() - started) / 1000;
      resolve(figuresOf(result, elapsed, process.cpuUsage(before), template.change === undefined ? 1 : 2));
    });
    // autocannon begins its own clock before the requests are built.
    run.once('start', () => {
      started = performance.now();
      before = process.cpuUsage();
      setTimeout(() => run.stop(), (template.requests === undefined ? seconds : PATIENCE_SECONDS) * 1000).unref();
    });
  });
}

/** @param atOnce how many requests are one thing that is done */
function figuresOf(result, elapsed, cpu, atOnce) {
  const succeeded = result['2xx'] / atOnce;
  return {
    elapsed,
    rate: succeeded / elapsed,
    succeeded,
    failed: result.non2xx + result.errors,
    statuses: Object.fromEntries(Object.entries(result.statusCodeStats).map(([status, { count }]) => [status, count])),
    // Sent and not answered when the time was up: the server may have done them.
    pending: Math.max(0, result.requests.sent - result.requests.total),
    p50: result.latency.p50,
    p99: result.latency.p99,
    loadCpu: shareOf(cpu, elapsed),
  };
}

async function loadWithConnects({ url, seconds, template }) {
  const repeats = template.order === 'cycle';
  const { statuses, latencies, errors, elapsed, cpu } = await loadClosing({ url, seconds, prepared, repeats });
  const counts = Object.entries(statuses);
  const countOf = (wanted) => counts.filter(wanted).reduce((sum, [, count]) => sum + count, 0);
  const isSuccess = ([status]) => status.startsWith('2');
  const succeeded = countOf(isSuccess);
  latencies.sort((left, right) => left - right);
  const percentile = (share) => latencies[Math.floor(latencies.length * share)] ?? 0;
  return {
    elapsed,
    rate: succeeded / elapsed,
    succeeded,
    failed: countOf((count) => !isSuccess(count)) + errors,
    statuses,
    pending: 0,
    p50: percentile(0.5),
    p99: percentile(0.99),
    loadCpu: shareOf(cpu, elapsed),
  };
}

function shareOf({ user, system }, elapsed) {
  return (user + system) / 1e6 / elapsed;
}

/**
 * The requests of each connection. `cycle` repeats a random choice of the picks; `fresh` never sends the same twice;
 * `consume` sends one for each pick and then ends. With a `change`, each connection has one pick for itself, and changes it
 * before each request.
 */
function prepare(template, { connections, seconds, tag }) {
  const { order, picks = [{}], requests, perSecond, change } = template;
  const clients = Array.from({ length: connections }, (_, client) => client);
  if (change !== undefined)
    return clients.map((client) =>
      Array.from({ length: CYCLE }, (_, at) => {
        const values = { ...picks[client % picks.length], high: (at >> 8) & 255, low: at & 255 };
        return [requestOf(change, values), requestOf(template, values)];
      }).flat(),
    );
  if (order === 'consume')
    return clients.map((client) =>
      picks.filter((_, at) => at % connections === client).map((pick) => requestOf(template, pick)),
    );
  const count = order === 'fresh' ? Math.ceil((requests ?? perSecond * seconds) / connections) : CYCLE;
  return clients.map((client) =>
    Array.from({ length: count }, (_, at) => {
      const numbers = { serial: `${tag}-${client}-${at}`, high: (at >> 8) & 255, low: at & 255, client };
      return requestOf(template, { ...picks[Math.floor(Math.random() * picks.length)], ...numbers });
    }),
  );
}

function requestOf({ method, path, headers, body }, values) {
  const request = { method, path: fill(path, values), headers };
  return body === undefined ? request : { ...request, body: fill(body, values) };
}

function fill(text, values) {
  return text.replaceAll(/%(\w+)%/g, (_, name) => String(values[name]));
}
