import { round } from './statistics.mjs';

/**
 * Goals of issue 6 point 2, issue 12 point 5, and issue 25 points 2 to 5, as far as one run of the service part
 * measures them.
 */
const SQLITE = 'Zonewright, SQLite';
const POSTGRES = 'Zonewright, PostgreSQL';
const NEST = 'Nest';
const DATABASE = 'node:http with the database';
const POWERDNS = 'PowerDNS, SQLite';
const POWERDNS_POSTGRES = 'PowerDNS, PostgreSQL';

const CHANGES = 'change sets of 100';

/**
 * `at` is a number of connections; without it each side counts with its best. `per` is the measured unit of a request.
 */
const GOALS = [
  {
    what: "create, 32 connections / Nest's validated POST",
    workload: 'create',
    against: NEST,
    at: 32,
    least: 1,
  },
  { what: "get, 32 connections / Nest's hello", workload: 'get', against: NEST, at: 32, least: 0.8, then: 1 },
  { what: "list of 20, 32 connections / Nest's hello", workload: 'list of 20', against: NEST, at: 32, least: 0.5 },
  {
    what: 'create, 32 connections / the floor with the database',
    workload: 'create',
    against: DATABASE,
    at: 32,
    least: 0.8,
  },
  {
    what: 'create alone on its connection / the floor with the database',
    workload: 'create',
    against: DATABASE,
    at: 1,
    least: 0.55,
  },
  {
    what: 'get, 32 connections / the floor with the database',
    workload: 'get',
    against: DATABASE,
    at: 32,
    least: 0.55,
  },
  {
    what: 'list of 20, 32 connections / the floor with the database',
    workload: 'list of 20',
    against: DATABASE,
    at: 32,
    least: 0.7,
  },
  { what: 'create / PowerDNS at its best', workload: 'create', against: POWERDNS, least: 12 },
  { what: 'get / PowerDNS at its best', workload: 'get', against: POWERDNS, least: 4 },
  { what: 'list of 20 / PowerDNS at its best', workload: 'list of 20', against: POWERDNS, least: 2.5 },
  { what: 'export of 1,000, unchanged / PowerDNS at its best', workload: 'export', against: POWERDNS, least: 10 },
  {
    what: 'export of 1,000 after a change / PowerDNS at its best',
    workload: 'export after a change',
    against: POWERDNS,
    least: 1.2,
  },
  {
    what: 'PostgreSQL / SQLite: create, 1 connection',
    of: POSTGRES,
    workload: 'create',
    against: SQLITE,
    at: 1,
    least: 0.6,
  },
  {
    what: 'PostgreSQL / SQLite: create, 32 connections',
    of: POSTGRES,
    workload: 'create',
    against: SQLITE,
    at: 32,
    least: 0.5,
  },
  {
    what: 'PostgreSQL / SQLite: create in 32 domains, 32 connections',
    of: POSTGRES,
    workload: 'create in 32 domains',
    against: SQLITE,
    at: 32,
    least: 0.6,
  },
  { what: 'PostgreSQL / SQLite: import', of: POSTGRES, workload: 'import', against: SQLITE, least: 0.5 },
  {
    what: 'create on PostgreSQL / PowerDNS at its best',
    of: POSTGRES,
    workload: 'create',
    against: POWERDNS_POSTGRES,
    least: 15,
  },
  { what: 'records a second in change sets of 100, SQLite', workload: CHANGES, per: 100, least: 15_000 },
  {
    what: 'records a second in change sets of 100, PostgreSQL',
    of: POSTGRES,
    workload: CHANGES,
    per: 100,
    least: 8000,
  },
];

const TWO_PROCESSES = { what: 'two processes on PostgreSQL / one', least: 1.7 };
/** Two services, the database and the load each want one. */
const CORES_FOR_TWO = 4;

/** Each goal with the ratio that was measured, `null` where something of it was not. */
export function judgeGoals(results, cores) {
  return [
    ...GOALS.map((goal) => judged(goal, measuredBy(goal, results))),
    ...['create in 32 domains', 'get'].map((workload) => judgeProcesses(workload, results, cores)),
  ];
}

/** Both contestants have one core, except for PostgreSQL, which shares the core of the service. */
function measuredBy({ workload, of = SQLITE, against, at, per = 1 }, results) {
  const rate = (contestant) =>
    bestRate(
      results.filter(
        (r) => r.workload === workload && r.contestant === contestant && (at ?? r.connections) === r.connections,
      ),
    );
  if (against !== undefined) return ratio(rate(of), rate(against));
  const requests = rate(of);
  return requests === null ? null : requests * per;
}

function judgeProcesses(workload, results, cores) {
  const rate = (contestant) => bestRate(results.filter((r) => r.workload === workload && r.contestant === contestant));
  const goal = { ...TWO_PROCESSES, what: `${TWO_PROCESSES.what}: ${workload}` };
  const verdict = judged(goal, ratio(rate('Zonewright, PostgreSQL, 2 processes'), rate('Zonewright, PostgreSQL')));
  return cores >= CORES_FOR_TWO ? verdict : { ...verdict, verdict: `not judged: ${cores} cores` };
}

export function judged({ what, least, then }, ratio) {
  if (ratio === null) return { what, goal: `≥ ${least}`, ratio, verdict: 'not measured' };
  const verdict = ratio < least ? 'missed' : then !== undefined && ratio < then ? `met, next ${then}` : 'met';
  return { what, goal: `≥ ${least}`, ratio: round(ratio, 3), verdict };
}

export function judgedAtMost(what, most, measured) {
  if (measured === null) return { what, goal: `≤ ${most}`, ratio: null, verdict: 'not measured' };
  return { what, goal: `≤ ${most}`, ratio: round(measured, 3), verdict: measured <= most ? 'met' : 'missed' };
}

export function isMissed({ verdict }) {
  return verdict === 'missed';
}

function bestRate(results) {
  return results.length === 0 ? null : Math.max(...results.map(({ median }) => median));
}

function ratio(ours, theirs) {
  return ours === null || theirs === null || theirs === 0 ? null : ours / theirs;
}
