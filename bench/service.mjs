import { chartOf } from './chart.mjs';
import { startContestants } from './contestants.mjs';
import { isMissed, judgeGoals } from './goals.mjs';
import { canPin, cores } from './processes.mjs';
import { serviceTables, textTable } from './report.mjs';
import { machineFacts, readResults, saveResults, saveText } from './results.mjs';
import { inTurns } from './rounds.mjs';
import { inScratch } from './scratch.mjs';
import { powerdnsVersion } from './servers/powerdns.mjs';
import { WORKLOADS } from './workloads.mjs';

const LEGEND = `Requests answered with success per second, median and spread of the rounds. CPU in shares of one core.
*: the load was at its own limit, the server can do more. Floors without a database answer a list with their hello.`;

/** All contestants in all workloads; prints tables, and writes results/service.json and the chart. */
export async function benchService(settings) {
  const machine = machineFacts();
  console.log(pinningLine());
  const { skipped, stored, results } = await inScratch((directory) => measureAll(directory, settings));
  const goals = judgeGoals(results, machine.cores);
  print(results, stored, goals);
  if (settings.save) {
    const { rounds, seconds, warmUp } = settings;
    const method = { rounds, seconds, warmUp, pinning: pinningLine(), powerdns: powerdnsVersion() };
    const all = await withOthers(results);
    await saveResults('service', machine, {
      method,
      skipped,
      goals: judgeGoals(all, machine.cores),
      stored,
      results: all,
    });
    await saveText('chart.svg', chartOf(all));
  }
  return goals.some(isMissed) || stored.some(({ holds }) => !holds) ? 1 : 0;
}

/** Skipped workloads keep their earlier results: contestants are compared within one workload only. */
async function withOthers(results) {
  const measured = new Set(results.map(({ workload }) => workload));
  const others = ((await readResults('service'))?.results ?? []).filter(({ workload }) => !measured.has(workload));
  return WORKLOADS.flatMap(({ name }) => [...results, ...others].filter(({ workload }) => workload === name));
}

async function measureAll(directory, { only, contestants: chosen, connections, ...settings }) {
  const { contestants, skipped, close } = await startContestants(directory, (name) => matches(name, chosen));
  try {
    for (const { name, reason } of skipped) console.log(`\nSKIPPED ${name}. ${reason}`);
    const results = [];
    for (const workload of WORKLOADS.filter(({ name }) => matches(name, only)))
      for (const count of workload.connections.filter((one) => connections === null || connections.includes(one))) {
        process.stderr.write(`${workload.name}, connections: ${count}\n`);
        const warmUpConnections = Math.max(...workload.connections);
        const measurement = { workload: workload.name, connections: count, warmUpConnections, ...settings };
        results.push(...(await inTurns(contestants, measurement)));
      }
    return { skipped, stored: await verifyStored(contestants), results };
  } finally {
    await close();
  }
}

/** A name is chosen when one of the patterns is it, or, with a `*` at its end, begins it. */
function matches(name, patterns) {
  return (
    patterns === null ||
    patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern))
  );
}

async function verifyStored(contestants) {
  const verified = [];
  for (const { name, answered, verify } of contestants) {
    if (verify === undefined || answered === undefined) continue;
    const { stored } = await verify(answered);
    const { succeeded, pending } = answered;
    verified.push({
      name,
      answered: succeeded,
      undecided: pending,
      stored,
      holds: stored >= succeeded && stored <= succeeded + pending,
    });
  }
  return verified;
}

function print(results, stored, goals) {
  for (const table of serviceTables(results)) console.log(`\n${table}`);
  console.log(`\n${LEGEND}\n`);
  const rows = stored.map((one) => [one.name, one.answered, one.undecided, one.stored, one.holds ? 'yes' : 'NO']);
  if (rows.length > 0)
    console.log(`${textTable([['created', 'answered', 'undecided', 'stored', 'holds'], ...rows])}\n`);
  const judged = goals.map(({ what, goal, ratio, verdict }) => [what, goal, ratio ?? '', verdict]);
  console.log(textTable([['goal', 'wanted', 'measured', 'verdict'], ...judged]));
}

function pinningLine() {
  if (!canPin)
    return 'Nothing is pinned: there is no taskset, or one core only. Server and load may disturb each other.';
  const { server, load, workers, oneWorker, database } = cores;
  const shared = 'the service and PostgreSQL wherever the system puts them';
  const postgres =
    workers === null ? shared : `one process on core ${oneWorker}, two on ${workers}, PostgreSQL on ${database}`;
  return `Pinned: servers on core ${server}, the load on core ${load}; contestants on PostgreSQL: ${postgres}.`;
}
