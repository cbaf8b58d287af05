import { startContestants } from './contestants.mjs';
import { isMissed, judged } from './goals.mjs';
import { serviceTables, textTable } from './report.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inTurns } from './rounds.mjs';
import { inScratch } from './scratch.mjs';
import { designateVersion } from './servers/designate.mjs';
import { VERSION_2 } from './workloads.mjs';

const OURS = ['Zonewright, SQLite', 'Zonewright, PostgreSQL'];
const DESIGNATE = 'Designate';
/** Issue 14, point 11. */
const LEAST_OF_VERSION_1 = 0.8;
/** Issue 25, point 1. */
const ZONES_ON_POSTGRES = { what: 'create a domain: PostgreSQL / SQLite', least: 0.5 };
const CONNECTIONS = [1, 32];

/** Version 2 compared with version 1 for equal work, and with Designate where one is running. */
export async function benchVersion2({ only, contestants, connections, save, ...settings }) {
  const machine = machineFacts();
  const names = contestants ?? [...OURS, DESIGNATE];
  const { skipped, results } = await inScratch(async (directory) => {
    const started = await startContestants(directory, (name) => names.includes(name));
    try {
      for (const { name, reason } of started.skipped) console.log(`\nSKIPPED ${name}. ${reason}`);
      return {
        skipped: started.skipped,
        results: await measureAll(started.contestants, { only, connections, settings }),
      };
    } finally {
      await started.close();
    }
  });
  const goals = judgeVersion2(results);
  for (const table of serviceTables(results)) console.log(`\n${table}`);
  const rows = goals.map(({ what, goal, ratio, verdict }) => [what, goal, ratio ?? '', verdict]);
  console.log(`\n${textTable([['goal', 'wanted', 'measured', 'verdict'], ...rows])}`);
  const { rounds, seconds, warmUp } = settings;
  const method = { rounds, seconds, warmUp, designate: designateVersion() };
  if (save) await saveResults('version-2', machine, { method, skipped, goals, results });
  return goals.some(isMissed) ? 1 : 0;
}

/** Measures the two versions of one workload in succession. */
async function measureAll(contestants, { only, connections, settings }) {
  const results = [];
  for (const { work, version1, version2 } of VERSION_2.filter((one) => only === null || only.includes(one.work)))
    for (const count of connections ?? CONNECTIONS)
      for (const workload of [version1, version2]) {
        process.stderr.write(`${work}: ${workload}, connections: ${count}\n`);
        results.push(
          ...(await inTurns(contestants, { workload, connections: count, warmUpConnections: 32, ...settings })),
        );
      }
  return results;
}

function judgeVersion2(results) {
  const best = (contestant, workload) =>
    Math.max(
      ...results.filter((one) => one.contestant === contestant && one.workload === workload).map((one) => one.median),
      0,
    );
  const zones = ratio(best(OURS[1], 'create domain'), best(OURS[0], 'create domain'));
  const versions = VERSION_2.flatMap(({ work, version1, version2, timesDesignate }) => [
    ...OURS.map((ours) =>
      judged(
        { what: `${work}: version 2 / version 1, ${ours.replace('Zonewright, ', '')}`, least: LEAST_OF_VERSION_1 },
        ratio(best(ours, version2), best(ours, version1)),
      ),
    ),
    judged(
      { what: `${work}: version 2 on SQLite / Designate`, least: timesDesignate },
      ratio(best(OURS[0], version2), best(DESIGNATE, version2)),
    ),
  ]);
  return [...versions, judged(ZONES_ON_POSTGRES, zones)];
}

function ratio(ours, theirs) {
  return ours === 0 || theirs === 0 ? null : ours / theirs;
}
