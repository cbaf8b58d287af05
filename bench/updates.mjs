#!/usr/bin/env node
/**
 * Changes by DNS UPDATE (RFC 2136) with signed messages: Zonewright, knotd and named with one zone, in turns (ADR 16).
 * Single updates by UDP of 1 and 32 clients, each waiting for its response, and messages of 1,770 records by TCP. For
 * Zonewright alone, also the time from the response to the NOTIFY, next to that of a change by the API.
 *
 *   npm run bench:updates
 *   npm run bench:updates -- --rounds 1 --no-save
 *
 * Prints tables, writes results/updates.json, and exits with 1 when it misses a goal.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMissed, judged, judgedAtMost } from './goals.mjs';
import { cpuSeconds, runOnLoadCore } from './processes.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { notifyTimes, NotifiedServer, updaterOf } from './notify-client.mjs';
import { KEY, startOurs, startPrimaries, ZONE } from './servers/primaries.mjs';
import { round, summarize } from './statistics.mjs';
import { zoneText } from './zone-text.mjs';

const RECORDS = 1000;
const CLIENTS = [1, 32];
const LARGE = 1770;
/** In each turn. */
const LARGE_TIMES = 5;
/**
 * In seconds, with all clients: compiles hot code and grows the database log to its final length, since syncing a
 * growing file takes several times as long.
 */
const WARM_UP = 3;
const NOTIFIES = 50;
/** In milliseconds: the allowed extra NOTIFY delay of an update compared with an API change. */
const NOTIFY_MARGIN = 1;
const START_TIMEOUT = 60_000;

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    save: { type: 'boolean', default: true },
  },
  allowNegative: true,
});
const machine = machineFacts();
const { results, notifies } = await inScratch(measureAll);
const goals = judge(results, notifies);
console.table(Object.fromEntries(results.map(({ name, ...figures }) => [name, figures])));
console.table(notifies);
console.table(goals);
if (values.save)
  await saveResults('updates', machine, {
    records: RECORDS,
    rounds: Number(values.rounds),
    goals,
    results,
    notifies,
  });
process.exitCode = goals.some(isMissed) ? 1 : 0;

async function measureAll(directory) {
  const file = path.join(directory, 'zone');
  const apex = `$TTL 3600\n@ SOA ns1.example.net. hostmaster 1 3600 600 1209600 3600\n@ NS ns1.example.net.\n`;
  await writeFile(file, `$ORIGIN ${ZONE}\n${apex}${[...zoneText(RECORDS)].join('')}`);
  const primaries = await startPrimaries(directory, file, { takesUpdates: true });
  const results = await measureInTurns(primaries);
  return { results, notifies: await measureNotifies(path.join(directory, 'notifying'), file) };
}

async function measureNotifies(directory, file) {
  const server = await NotifiedServer.start();
  const { port, change, updateKey } = await startOurs(directory, file, {
    takesUpdates: true,
    notified: server.address,
  });
  server.primary = port;
  const updated = updaterOf({ port, key: updateKey, zone: ZONE });
  const changed = (time) => change(`192.0.2.${time}`);
  await notifyTimes({ server, changed, updated, times: 5 });
  const times = await notifyTimes({
    server,
    changed: (time) => changed(100 + time),
    updated: (time) => updated(100 + time),
    times: NOTIFIES,
  });
  server.close();
  return times;
}

/** The disk is faster in one minute than in the next, which is to meet all alike. */
async function measureInTurns(primaries) {
  const measured = primaries.map((primary) => ({ primary, turns: [] }));
  for (const { primary } of measured) await warmUp(primary);
  for (let turn = 0; turn < Number(values.rounds); turn += 1)
    for (const { primary, turns } of measured) {
      process.stderr.write(`${primary.name}, round ${turn + 1}\n`);
      turns.push(await measure(primary, turn));
    }
  return measured.map(({ primary: { name }, turns }) => ({ name, ...middleOf(turns) }));
}

function runOn({ port, updateKey = KEY }, plan) {
  return runOnLoadCore('update-client.mjs', [], JSON.stringify({ zone: ZONE, port, key: updateKey, ...plan }));
}

async function warmUp(primary) {
  await answering(
    () => runOn(primary, { kind: 'singles', clients: 1, seconds: 0.1, prefix: 'first' }),
    () => `${primary.name}: ${primary.output?.() ?? ''}`,
  );
  await runOn(primary, { kind: 'singles', clients: Math.max(...CLIENTS), seconds: WARM_UP, prefix: 'running' });
}

/** One turn of one primary. */
async function measure(primary, turn) {
  const figures = {};
  for (const clients of CLIENTS) {
    await runOn(primary, { kind: 'singles', clients, seconds: 0.5, prefix: `warm${clients}-${turn}` });
    const before = cpuSeconds([primary.pid]);
    const plan = { kind: 'singles', clients, prefix: `s${clients}-${turn}`, seconds: Number(values.seconds) };
    const { perSecond, done, p50, p99 } = await runOn(primary, plan);
    const cpu = before === null ? null : ((cpuSeconds([primary.pid]) - before) / done) * 1e6;
    Object.assign(figures, {
      [`perSecond${clients}`]: Math.round(perSecond),
      [`p50${clients}`]: p50,
      [`p99${clients}`]: p99,
      [`microsOfCpu${clients}`]: cpu,
    });
  }
  const { added, asked, deleted } = await runOn(primary, { kind: 'large', records: LARGE, times: LARGE_TIMES });
  return { ...figures, added, asked, deleted };
}

/** The median of each figure. */
function middleOf(turns) {
  const [first] = turns;
  return Object.fromEntries(
    Object.entries(first).map(([figure, value]) => [
      figure,
      value === null ? null : round(summarize(turns.map((turn) => turn[figure])).median),
    ]),
  );
}

async function answering(attempt, describe) {
  const deadline = Date.now() + START_TIMEOUT;
  for (;;) {
    const isThere = await attempt().then(
      () => true,
      () => false,
    );
    if (isThere) return;
    if (Date.now() > deadline) throw new Error(`no update is taken by ${describe()}`);
    await delay(200);
  }
}

function judge(measured, notifies) {
  const of = (name) => measured.find((one) => one.name === name);
  const [ours, knotd, named] = ['Zonewright', 'knotd', 'named'].map(of);
  const ratio = (field, theirs) => (theirs === undefined ? null : ours[field] / theirs[field]);
  return [
    ...CLIENTS.flatMap((clients) => [
      judged({ what: `single updates, ${clients} clients / knotd`, least: 0.5 }, ratio(`perSecond${clients}`, knotd)),
      judged({ what: `single updates, ${clients} clients / named`, least: 1 }, ratio(`perSecond${clients}`, named)),
    ]),
    judgedAtMost(`a message that adds ${LARGE} records, ms`, 60, ours.added),
    judgedAtMost(`a message of ${LARGE} prerequisites, ms`, 50, ours.asked),
    judgedAtMost(
      'from the answer to the NOTIFY, later than after a change by the API, ms',
      NOTIFY_MARGIN,
      notifies.update.p50 - notifies.api.p50,
    ),
  ];
}
