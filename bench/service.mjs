import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startContestants } from './contestants.mjs';
import { judgeGoals } from './goals.mjs';
import { canPin, cores, stopAll, stopAllOnSignals } from './processes.mjs';
import { serviceTables, textTable } from './report.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inTurns } from './rounds.mjs';
import { WORKLOADS } from './workloads.mjs';

/** All contestants in all workloads; prints tables and writes results/service.json. */
export async function benchService({ rounds, seconds, warmUp, only, contestants: chosen, connections, save }) {
  const machine = machineFacts();
  console.log(pinningLine());
  const directory = await mkdtemp(path.join(os.tmpdir(), 'zonewright-bench-'));
  const cleanUp = () => rm(directory, { recursive: true, force: true });
  stopAllOnSignals(cleanUp);
  let house = null;
  try {
    const { contestants, skipped, close } = await startContestants(directory, (name) => matches(name, chosen));
    for (const { name, reason } of skipped) console.log(`\nSKIPPED ${name}. ${reason}`);
    house = { close };
    const results = [];
    for (const workload of WORKLOADS.filter(({ name }) => matches(name, only)))
      for (const count of workload.connections.filter((one) => connections === null || connections.includes(one))) {
        process.stderr.write(`${workload.name}, connections: ${count}\n`);
        const settings = { workload: workload.name, connections: count, rounds, seconds, warmUp };
        results.push(...(await inTurns(contestants, settings)));
      }
    const stored = await verifyStored(contestants);
    const goals = judgeGoals(results, machine.cores);
    print(results, stored, goals);
    if (save)
      await saveResults('service', machine, { rounds, seconds, pinning: pinningLine(), goals, stored, results });
    return { goals, stored };
  } finally {
    await stopAll();
    await house?.close();
    await cleanUp();
  }
}

/** A name is chosen when one of the wishes is it, or, with a `*` at its end, begins it. */
function matches(name, wishes) {
  return (
    wishes === null || wishes.some((wish) => (wish.endsWith('*') ? name.startsWith(wish.slice(0, -1)) : name === wish))
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
  console.log('\n* the load was at its own limit: the server can do more. CPU: shares of one core.\n');
  const rows = stored.map((one) => [one.name, one.answered, one.undecided, one.stored, one.holds ? 'yes' : 'NO']);
  if (rows.length > 0)
    console.log(`${textTable([['created', 'answered', 'undecided', 'stored', 'holds'], ...rows])}\n`);
  const judged = goals.map(({ what, goal, ratio, verdict }) => [what, `≥ ${goal}`, ratio ?? '', verdict]);
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
