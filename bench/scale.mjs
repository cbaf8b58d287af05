import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { loadSqlite } from '../dist/src/database/sqlite/sqlite-driver.js';
import { isMissed, judged, judgedAtMost } from './goals.mjs';
import { cores, forgetPeak, peakOf, runOnLoadCore } from './processes.mjs';
import { formatNumber, serviceTables, textTable } from './report.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inTurns } from './rounds.mjs';
import { inScratch } from './scratch.mjs';
import { startZonewright, TENANT, zonewright, zonewrightEnvironment } from './servers/zonewright.mjs';
import { round, summarize } from './statistics.mjs';
import { zoneText } from './zone-text.mjs';

const Database = loadSqlite();

const DOMAIN = 'scale.example.';
const DATABASE = 'scale.sqlite';
const FEW = 1000;
const MANY = 1_000_000;
const PAGE = 100;
const PICKED = 1000;
/** Requests during a full list stream, and the minimum stream duration for this measurement. */
const MEANWHILE = { perSecond: 100, atLeastSeconds: 1 };
const WORKLOADS = [
  { name: 'create', connections: 32 },
  { name: 'get', connections: 32 },
  { name: 'first page of 100', connections: 8 },
  { name: 'deep page of 100', connections: 8 },
];

/** Costs by the number of records in a domain; prints tables and writes results/scale.json. */
export async function benchScale({ sizes, rounds, seconds, warmUp, save }) {
  const machine = machineFacts();
  const { lists, results } = await inScratch(async (directory) => {
    const contestants = [];
    for (const size of sizes) contestants.push(await startWithRecords(path.join(directory, String(size)), size));
    // Lists first, while the processes are as small as after a start.
    return {
      lists: await measureLists(contestants, rounds),
      results: await measureWorkloads(contestants, { rounds, seconds, warmUp }),
    };
  });
  const goals = judgeScale(results, lists);
  print(results, lists, goals);
  if (save) await saveResults('scale', machine, { settings: { rounds, seconds, warmUp }, goals, lists, results });
  return goals.some(isMissed) ? 1 : 0;
}

async function measureLists(contestants, rounds) {
  const lists = [];
  for (const contestant of contestants) lists.push(await measureList(contestant, rounds));
  return lists;
}

async function measureWorkloads(contestants, settings) {
  const results = [];
  for (const { name: workload, connections } of WORKLOADS) {
    process.stderr.write(`${workload}\n`);
    results.push(...(await inTurns(contestants, { workload, connections, ...settings })));
  }
  return results;
}

async function startWithRecords(directory, size) {
  const name = `${formatNumber(size)} records`;
  process.stderr.write(`importing ${name}\n`);
  await mkdir(directory);
  await pipeline(Readable.from(zoneText(size)), createWriteStream(path.join(directory, 'in.zone')));
  const databaseUrl = `sqlite:${DATABASE}`;
  const into = ['--domain', DOMAIN, '--create', '--email', 'hostmaster@example.org', '--tenant', TENANT];
  const environment = zonewrightEnvironment(databaseUrl);
  zonewright(directory, environment, 'migrate');
  zonewright(directory, environment, 'zone', 'import', 'in.zone', ...into);
  const service = await startZonewright({ name, directory, databaseUrl, core: cores.server });
  const { domains } = await service.call('GET', '/v1/domains');
  const records = `/v1/domains/${domains[0].id}/records`;
  const ids = idsIn(path.join(directory, DATABASE), size);
  const templates = templatesOf(
    service,
    records,
    ids.map((id) => ({ id })),
  );
  return { ...service, size, records, lastId: ids.at(-1), templates };
}

function templatesOf(service, records, picks) {
  const headers = { ...service.headers, Accept: 'application/json' };
  const get = { method: 'GET', headers, order: 'cycle' };
  const page = `${records}?limit=${PAGE}`;
  const middle = picks.slice(Math.floor(picks.length * 0.4), Math.ceil(picks.length * 0.6));
  return {
    create: {
      method: 'POST',
      path: records,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: `{"name":"r-%serial%.${DOMAIN}","type":"A","data":"192.0.2.1"}`,
      order: 'fresh',
      perSecond: 10_000,
    },
    get: { ...get, path: `${records}/%id%`, picks },
    'first page of 100': { ...get, path: page },
    'deep page of 100': { ...get, path: `${page}&marker=%id%`, picks: middle },
  };
}

/** Evenly spaced ids in order, including the last; read from the file, since the service has pages but no offsets. */
function idsIn(file, size) {
  const database = new Database(file, { readonly: true });
  const every = Math.max(1, Math.floor(size / PICKED));
  const rows = database
    .prepare(
      'SELECT id FROM (SELECT id, row_number() OVER (ORDER BY id) AS place FROM records)' +
        ' WHERE place % ? = 0 OR id = (SELECT max(id) FROM records) ORDER BY id',
    )
    .all(every);
  database.close();
  return rows.map(({ id }) => id);
}

/** The whole list, alone and while others get single records. */
async function measureList(contestant, rounds) {
  process.stderr.write(`full list of ${contestant.name}\n`);
  const alone = [];
  const beside = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    alone.push(await readList(contestant));
    if (alone[0].total >= MEANWHILE.atLeastSeconds) beside.push(await readListBeside(contestant, alone.at(-1).total));
  }
  const middle = (runs, field) =>
    runs.length === 0 ? null : round(summarize(runs.map((run) => run[field])).median, 4);
  const highest = (runs, field) => (runs.length === 0 ? null : round(Math.max(...runs.map((run) => run[field]))));
  return {
    records: contestant.size,
    megabytes: round(alone[0].megabytes),
    firstByteSeconds: middle(alone, 'firstByte'),
    totalSeconds: middle(alone, 'total'),
    totalSecondsBeside: middle(beside, 'total'),
    // The maximum: memory and latency limits must hold in every run.
    peakMegabytes: highest([...alone, ...beside], 'peakMegabytes'),
    meanwhileP99: highest(beside, 'p99'),
    meanwhileMax: highest(beside, 'max'),
    rounds: alone.map(({ total }) => round(total)),
  };
}

async function readList({ child, url, headers, records, name, lastId }) {
  forgetPeak(child.pid);
  const args = [url + records, headers['X-Auth-Token']];
  const answer = await runOnLoadCore('read-stream.mjs', args);
  if (!answer.tail.includes(lastId)) throw new Error(`the list of ${name} broke off`);
  return { ...answer, peakMegabytes: peakOf(child.pid) };
}

/** Other requests stop before the list alone would end, so that all of them run during the stream. */
async function readListBeside(contestant, seconds) {
  const { url, templates } = contestant;
  const plan = JSON.stringify({ url, template: templates.get, perSecond: MEANWHILE.perSecond, seconds });
  const [list, { p99, max, failed }] = await Promise.all([
    readList(contestant),
    runOnLoadCore('paced-client.mjs', [], plan),
  ]);
  if (failed > 0) throw new Error(`${failed} requests failed while the list was streaming`);
  return { ...list, p99, max };
}

function judgeScale(results, lists) {
  const rate = (workload, records) =>
    results.find((r) => r.workload === workload && r.contestant === `${formatNumber(records)} records`)?.median ?? null;
  const times = (left, right) => (left === null || right === null ? null : left / right);
  const full = lists.find(({ records }) => records === MANY) ?? {};
  const of = (field) => full[field] ?? null;
  return [
    judgedAtMost('create in 1,000,000 / in 1,000 records, cost', 1.2, times(rate('create', FEW), rate('create', MANY))),
    judged(
      { what: 'deep page / first page in 1,000,000 records, rate', least: 0.8 },
      times(rate('deep page of 100', MANY), rate('first page of 100', MANY)),
    ),
    judgedAtMost('full list of 1,000,000 records, s', 10, of('totalSecondsBeside')),
    judgedAtMost('peak memory meanwhile, MB', 250, of('peakMegabytes')),
    judgedAtMost('p99 of gets meanwhile, ms', 50, of('meanwhileP99')),
  ];
}

function print(results, lists, goals) {
  for (const table of serviceTables(results)) console.log(`\n${table}`);
  const head = ['full list of', 'MB', 'first byte ms', 'alone s', 'beside gets s', 'peak MB', 'gets p99 ms', 'max ms'];
  const rows = lists.map((list) => [
    formatNumber(list.records),
    list.megabytes,
    round(list.firstByteSeconds * 1000, 1),
    list.totalSeconds,
    list.totalSecondsBeside ?? '',
    list.peakMegabytes,
    list.meanwhileP99 ?? '',
    list.meanwhileMax ?? '',
  ]);
  console.log(`\n${textTable([head, ...rows])}\n`);
  const judgements = goals.map(({ what, goal, ratio, verdict }) => [what, goal, ratio ?? '', verdict]);
  console.log(textTable([['goal', 'wanted', 'measured', 'verdict'], ...judgements]));
}
