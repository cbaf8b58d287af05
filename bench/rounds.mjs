import { cpuSeconds, load } from './processes.mjs';
import { round, summarize } from './statistics.mjs';
import { DELETIONS_PER_SECOND } from './workloads.mjs';

/** Above it the load has no processor time left to ask for more, and the figure says nothing about the server. */
const LOAD_BOUND = 0.95;

let measurements = 0;

/**
 * One workload at one number of connections: after a warm-up all contestants take turns, so that other load affects
 * them equally.
 * @param warmUpConnections warm-up connections: with only one, a process gets too few requests to be compiled before
 * the measurement; slower code needs more
 */
export async function inTurns(
  contestants,
  { workload, connections, rounds, seconds, warmUp, warmUpConnections = connections },
) {
  const taking = contestants.filter(({ templates }) => templates[workload] !== undefined);
  const measured = taking.map((contestant) => ({ contestant, figures: [] }));
  for (let turn = warmUp > 0 ? -1 : 0; turn < rounds; turn += 1) {
    for (const { contestant, figures } of measured) {
      const isWarmUp = turn < 0;
      const settings = isWarmUp ? { connections: warmUpConnections, seconds: warmUp } : { connections, seconds };
      const figure = await measure(contestant, { workload, ...settings });
      if (!isWarmUp) figures.push(figure);
    }
  }
  return measured.map(({ contestant, figures }) => summaryOf(contestant.name, workload, connections, figures));
}

/** One contestant's turn at one workload. An external contestant has no process here. */
export async function measure(contestant, { workload, connections, seconds }) {
  const { url, child, database, closes = false } = contestant;
  const made = contestant.templates[workload];
  const template = typeof made === 'function' ? await made(Math.ceil(DELETIONS_PER_SECOND * seconds)) : made;
  measurements += 1;
  const servers = {
    server: child === undefined ? null : [child.pid],
    database: database === undefined ? null : [database.pid],
  };
  const before = spent(servers);
  const figure = await load({ url, closes, connections, seconds, template, tag: `${measurements}` });
  const after = spent(servers);
  if (workload === 'create') count(contestant, figure);
  return { ...figure, ...shares(before, after, figure.elapsed) };
}

/** Includes warm-ups: their creates are stored too. */
function count(contestant, { succeeded, pending, failed }) {
  contestant.answered ??= { succeeded: 0, pending: 0 };
  contestant.answered.succeeded += succeeded;
  // A failed answer leaves open whether something was stored.
  contestant.answered.pending += pending + failed;
}

function spent(servers) {
  return Object.fromEntries(
    Object.entries(servers).map(([name, pids]) => [name, pids === null ? null : cpuSeconds(pids)]),
  );
}

function shares(before, after, elapsed) {
  const share = (name) =>
    before[name] === null || after[name] === null ? null : (after[name] - before[name]) / elapsed;
  return { serverCpu: share('server'), databaseCpu: share('database') };
}

function summaryOf(contestant, workload, connections, figures) {
  const rates = summarize(figures.map(({ rate }) => rate));
  const sum = (name) => figures.reduce((total, figure) => total + figure[name], 0);
  const middle = (name) =>
    figures.some((figure) => figure[name] === null) ? null : round(summarize(figures.map((f) => f[name])).median);
  const loadCpu = middle('loadCpu');
  return {
    workload,
    connections,
    contestant,
    median: Math.round(rates.median * 10) / 10,
    min: round(rates.min, 1),
    max: round(rates.max, 1),
    rounds: figures.map(({ rate }) => round(rate, 1)),
    succeeded: sum('succeeded'),
    failed: sum('failed'),
    statuses: mergeCounts(figures.map(({ statuses }) => statuses)),
    p50: middle('p50'),
    p99: middle('p99'),
    serverCpu: middle('serverCpu'),
    databaseCpu: middle('databaseCpu'),
    loadCpu,
    loadBound: loadCpu >= LOAD_BOUND,
  };
}

function mergeCounts(list) {
  const merged = {};
  for (const counts of list)
    for (const [key, count] of Object.entries(counts)) merged[key] = (merged[key] ?? 0) + count;
  return merged;
}
