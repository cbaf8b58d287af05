#!/usr/bin/env node
/**
 * `npm run docs:performance`: writes the tables of docs/performance.md and of the pages in bench/results from the JSON files
 * there, so that no figure is copied by hand. A table stands between `<!-- figures: <name> -->` and `<!-- end of figures -->`.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { markdown } from './markdown.mjs';
import { formatNumber, rateCell } from './report.mjs';
import { readResults } from './results.mjs';
import { signingTables } from './signing/table.mjs';
import { widthTable } from './width/table.mjs';

const ROOT = path.dirname(import.meta.dirname);
const DOCUMENTS = [
  'docs/performance.md',
  ...['goals', 'requests', 'name-servers', 'programs', 'many-domains'].map((name) => `bench/results/${name}.md`),
];
const MARKED = /(<!-- figures: (.+?) -->\n)[^]*?(<!-- end of figures -->)/g;

const PARTS = [
  'service',
  'version-2',
  'scale',
  'zones',
  'zones-postgres',
  'tail',
  'name-server',
  'publishing',
  'updates',
  'listeners',
  'start',
  'signing',
  'renewals',
  'signing-million',
  'signing-token',
  'width',
  'width-postgres',
  'import-beside',
  'console',
];
/** The goals that docs/performance.md shows, by their name. */
const TEN = [
  "create, 32 connections / Nest's validated POST",
  "get, 32 connections / Nest's hello",
  'create / PowerDNS at its best',
  'get / PowerDNS at its best',
  'list of 20 / PowerDNS at its best',
  'create: version 2 on SQLite / Designate',
  'records a second in change sets of 100, SQLite',
  'full list of 1,000,000 records, s',
  'BIND serves the last of the burst, ms',
  'single updates, 32 clients / named',
];
const parts = await Promise.all(PARTS.map(readResults));
const [service, version2, scale, zones, zonesOnPostgres, , nameServer, publishing, updates, listeners, start] = parts;
const [signing, renewals, million, inToken] = parts.slice(-8, -4);
const [width, widthOnPostgres, importBeside, page] = parts.slice(-4);
const measured = parts.filter((part) => part !== null);
const TABLES = {
  machine: () => machineTable(measured),
  ten: () => tenFigures(measured.flatMap(({ goals }) => goals)),
  goals: () => goalsTable(measured.flatMap(({ goals }) => goals)),
  workloads: () => workloads(service),
  'version 2': () => version2Tables(),
  sizes: () => sizesTable(),
  lists: () => listsTable(),
  zones: () => zonesTable(),
  'name servers': () => nameServersTable(),
  publishing: () => figuresTable(publishing),
  updates: () => updatesTable(),
  listeners: () => (listeners === null ? 'Not measured yet: `npm run bench:listeners`.' : figuresTable(listeners)),
  start: () => startTable(),
  signing: () => signingTables(signing, renewals, million, inToken),
  width: () => widthTable(width, widthOnPostgres),
  'import beside': () => besideTable(),
  console: () => (page === null ? 'Not measured yet: `npm run bench:console`.' : goalsTable(page.goals)),
};

for (const document of DOCUMENTS) {
  const file = path.join(ROOT, document);
  const text = await readFile(file, 'utf8');
  await writeFile(
    file,
    text.replace(MARKED, (_, begin, name, end) => `${begin}\n${TABLES[name]()}\n\n${end}`),
  );
}

function machineTable(parts) {
  const [{ machine, method }] = parts;
  const days = [...new Set(parts.map(({ measuredAt }) => measuredAt.slice(0, 10)))].join(', ');
  return markdown(
    ['what', 'value'],
    [
      ['measured', days],
      ['processor', `${machine.cpu}, ${machine.cores} cores`],
      ['memory, file system', `${machine.memoryGigabytes} GB, ${machine.filesystem}`],
      ['Node, PowerDNS', `${machine.node}, ${method.powerdns}`],
      ['rounds', roundsOf(method)],
      ['pinning', method.pinning],
    ],
  );
}

function version2Tables() {
  if (version2 === null) return 'Not measured yet: `npm run bench -- --parts version-2`.';
  const { machine, method } = version2;
  const run = markdown(
    ['what', 'value'],
    [
      ['Designate', method.designate ?? 'not installed'],
      ['rounds', roundsOf(method)],
      ['load average before', machine.loadBefore],
    ],
  );
  return `${run}\n\n${workloads(version2)}`;
}

function roundsOf({ rounds, seconds, warmUp }) {
  return `${rounds} of ${seconds} s, after ${warmUp} s to warm up`;
}

/** @throws Error where a benchmark has another name for a goal by now */
function tenFigures(goals) {
  const chosen = TEN.map((what) => goals.find((goal) => goal.what === what));
  const missing = TEN.filter((_, at) => chosen[at] === undefined);
  if (missing.length > 0) throw new Error(`bench/results has no goal named ${missing.join('; ')}`);
  return goalsTable(chosen);
}

function goalsTable(goals) {
  return markdown(
    ['goal', 'wanted', 'measured', 'verdict'],
    goals.map(({ what, goal, ratio, verdict }) => [what, goal, ratio ?? '', verdict]),
  );
}

/** One table for each workload: contestants down, connections across. */
function workloads({ results }) {
  const names = [...new Set(results.map(({ workload }) => workload))];
  return names
    .map((name) =>
      workloadTable(
        name,
        results.filter((result) => result.workload === name),
      ),
    )
    .join('\n\n');
}

function workloadTable(workload, results) {
  const connections = [...new Set(results.map((result) => result.connections))];
  const contestants = [...new Set(results.map(({ contestant }) => contestant))];
  const cell = (contestant, count) => {
    const result = results.find((one) => one.contestant === contestant && one.connections === count);
    return result === undefined ? '' : rateCell(result);
  };
  return markdown(
    [`**${workload}**`, ...connections.map((count) => `${count} conn.`)],
    contestants.map((contestant) => [contestant, ...connections.map((count) => cell(contestant, count))]),
  );
}

function sizesTable() {
  const sizes = [...new Set(scale.results.map(({ contestant }) => contestant))];
  const names = [...new Set(scale.results.map(({ workload }) => workload))];
  const cell = (workload, size) =>
    rateCell(scale.results.find((one) => one.workload === workload && one.contestant === size));
  return markdown(
    ['requests/s', ...sizes],
    names.map((workload) => [workload, ...sizes.map((size) => cell(workload, size))]),
  );
}

function listsTable() {
  return markdown(
    ['full list of', 'MB', 'first byte', 'alone', 'beside gets', 'peak memory', 'p99 of the gets'],
    scale.lists.map((list) => [
      formatNumber(list.records),
      list.megabytes,
      `${Math.round(list.firstByteSeconds * 1000)} ms`,
      `${list.totalSeconds} s`,
      list.totalSecondsBeside === null ? '' : `${list.totalSecondsBeside} s`,
      `${Math.round(list.peakMegabytes)} MB`,
      list.meanwhileP99 === null ? '' : `${list.meanwhileP99} ms`,
    ]),
  );
}

function zonesTable() {
  return markdown(
    ['command line', 'records', 'seconds', 'records/s', 'peak memory'],
    [...zones.results, ...(zonesOnPostgres?.results ?? [])].map(
      ({ database = 'SQLite', operation, records, ...figures }) => [
        `zone ${operation}, ${database}`,
        formatNumber(records),
        figures.seconds,
        formatNumber(figures.recordsPerSecond),
        `${figures.peakMegabytes} MB`,
      ],
    ),
  );
}

/** As secondaries see it: signed transfers of one zone, read by a client that only counts octets. */
function nameServersTable() {
  return markdown(
    [
      '',
      'AXFR, first',
      'AXFR, new serial',
      'AXFR, again',
      '20 at once',
      'SOA meanwhile, p99',
      'SOA/s',
      'signed SOA/s',
      'IXFR, p99',
    ],
    nameServer.results.map((server) => [
      server.name,
      `${server.firstSeconds} s`,
      `${server.coldSeconds} s`,
      `${server.againSeconds} s`,
      `${server['20Seconds']} s`,
      `${server.soaP99Meanwhile} ms`,
      formatNumber(server.soaPerSecond),
      formatNumber(server.signedSoaPerSecond),
      `${server.ixfrP99} ms`,
    ]),
  );
}

function updatesTable() {
  if (updates === null) return 'Not measured yet: `npm run bench:updates`.';
  const { results, notifies } = updates;
  const compared = markdown(
    ['', '1 client', 'p50', '32 clients', 'p50', '1,770 added', '1,770 asked for', '1,770 deleted'],
    results.map((server) => [
      server.name,
      `${formatNumber(server.perSecond1)} a second`,
      `${server.p501} ms`,
      `${formatNumber(server.perSecond32)} a second`,
      `${server.p5032} ms`,
      `${server.added} ms`,
      `${server.asked} ms`,
      `${server.deleted} ms`,
    ]),
  );
  const { api, update } = notifies;
  const told = `From the answer to the NOTIFY, p50: ${update.p50} ms after an update, ${api.p50} ms after a change by the API.`;
  return `${compared}\n\n${told} Negative where the NOTIFY was first.`;
}

function figuresTable({ results }) {
  return markdown(
    ['what', 'measured'],
    results.map(({ figure, unit, measured }) => [figure, `${measured} ${unit === '1/s' ? 'a second' : unit}`]),
  );
}

function startTable() {
  if (start === null) return 'Not measured yet: `npm run bench:start`.';
  return markdown(
    ['seconds from the start of the process', 'median', 'least', 'most'],
    start.results.map(({ what, median, min, max }) => [what, median, min, max]),
  );
}

function besideTable() {
  if (importBeside === null) return 'Not measured yet: `npm run bench:import-beside`.';
  return markdown(
    ['import', 'records', 'into', 'takes', 'creates, p50', 'creates, p99', 'slowest', 'reads, p99'],
    importBeside.results.map(({ database, records, into, ...figures }) => [
      database,
      formatNumber(records),
      into === 'new' ? 'a new domain' : 'one that is there',
      ...['seconds', 'p50', 'p99', 'slowest', 'readP99'].map((figure) => `${figures[figure]} s`),
    ]),
  );
}
