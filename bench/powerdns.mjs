import { startContestants } from './contestants.mjs';
import { isMissed, judged } from './goals.mjs';
import { serviceTables, textTable } from './report.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inTurns } from './rounds.mjs';
import { inScratch } from './scratch.mjs';
import { API_WORKLOADS, apiTemplates } from './servers/powerdns-api.mjs';
import { POWERDNS_KEY, powerdnsVersion } from './servers/powerdns.mjs';

const PAIRS = [
  ['Zonewright, SQLite', 'PowerDNS, SQLite'],
  ['Zonewright, PostgreSQL', 'PowerDNS, PostgreSQL'],
];
/** Required ratios to PowerDNS by number of connections. */
const GOALS = [
  { workload: API_WORKLOADS.patch, connections: 32, least: 10 },
  { workload: API_WORKLOADS.zone, connections: 1, least: 1.2 },
  { workload: API_WORKLOADS.list, connections: 1, least: 2 },
];
const CONNECTIONS = { [API_WORKLOADS.patch]: [1, 32], [API_WORKLOADS.zone]: [1, 8], [API_WORKLOADS.list]: [1] };

/** PowerDNS's API here and there, by the same requests in the same run. */
export async function benchPowerdns({ only, contestants, connections, save, quick, ...settings }) {
  const machine = machineFacts();
  const names = contestants ?? PAIRS.flat();
  const zones = quick ? 1000 : 10_000;
  const { skipped, results } = await inScratch(async (directory) => {
    const started = await startContestants(directory, (name) => names.includes(name));
    try {
      for (const { name, reason } of started.skipped) console.log(`\nSKIPPED ${name}. ${reason}`);
      for (const contestant of started.contestants) {
        process.stderr.write(`making ${zones} zones: ${contestant.name}\n`);
        const key = contestant.token ?? POWERDNS_KEY;
        contestant.templates = await apiTemplates({ url: contestant.url, key }, zones);
      }
      const measured = await measureAll(started.contestants, { only, connections, settings });
      return { skipped: started.skipped, results: measured };
    } finally {
      await started.close();
    }
  });
  const goals = judgeAll(results);
  for (const table of serviceTables(results)) console.log(`\n${table}`);
  const rows = goals.map(({ what, goal, ratio, verdict }) => [what, goal, ratio ?? '', verdict]);
  console.log(`\n${textTable([['goal', 'wanted', 'measured', 'verdict'], ...rows])}`);
  const { rounds, seconds, warmUp } = settings;
  const method = { rounds, seconds, warmUp, zones, powerdns: powerdnsVersion() };
  if (save) await saveResults('powerdns', machine, { method, skipped, goals, results });
  return goals.some(isMissed) ? 1 : 0;
}

async function measureAll(contestants, { only, connections, settings }) {
  const results = [];
  for (const workload of Object.values(API_WORKLOADS).filter((one) => only === null || only.includes(one)))
    for (const count of connections ?? CONNECTIONS[workload]) {
      process.stderr.write(`${workload}, connections: ${count}\n`);
      results.push(...(await inTurns(contestants, { workload, connections: count, ...settings })));
    }
  return results;
}

/** Also requires that Zonewright had no failures. */
function judgeAll(results) {
  const find = (contestant, { workload, connections }) =>
    results.find(
      (one) => one.contestant === contestant && one.workload === workload && one.connections === connections,
    );
  return PAIRS.flatMap(([ours, theirs]) =>
    GOALS.map(({ least, ...goal }) => {
      const [mine, other] = [find(ours, goal), find(theirs, goal)];
      const ratio = mine === undefined || !other?.median ? null : mine.median / other.median;
      const failures = mine === undefined ? '' : `, ${mine.failed} failed here, ${other?.failed ?? 0} there`;
      return judged({ what: `${goal.workload}, ${goal.connections}: ${ours} / ${theirs}${failures}`, least }, ratio);
    }),
  );
}
