#!/usr/bin/env node
/**
 * `npm run test:zone-files -- DIRECTORY`: imports each zone file below DIRECTORY, such as a checkout of zones, through
 * the API of a new service, and compares its verdict with those of BIND, Knot, NSD, ldns and dnspython. Then BIND and
 * Knot read the exports. Exits with 1 if a program refuses an export in which `check` finds no error. test/README.md
 * lists the required packages. The files are not part of this repository.
 */
import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { clearTimeout } from 'node:timers';
import { prepare, root } from './prepare.mjs';

const ZONE_FILE = /\.(?:zone|db|dns|signed)$|^(?:db|pri)\.|\.zone\.[^.]+$/i;
const PROGRAM_TEXT = /\.(?:c|h|py|go|rs|sh|pl|j2|in|conf|ya?ml|json|md|jsx?|tsx?|rst|txt|am|html|patch)$/i;
const MAX_OCTETS = 1024 * 1024;
const START_MS = 300_000;
const PROGRAM_MS = 10_000;
/** A file that this many programs accept should be imported. */
const MAJORITY = 3;
/** The most files that are listed with each message. */
const LISTED = 25;
/** In characters. */
const LONGEST_SUMMARY = 300;
const KEY = randomBytes(16).toString('hex');

const DNSPYTHON = `
import sys, dns.zone
dns.zone.from_file(sys.argv[2], sys.argv[1], relativize=False, check_origin=False)
`;
/** `check` warns of integrity and host names (rule 15.7). */
const BIND = (zone, file) => ['named-checkzone', '-i', 'none', '-k', 'ignore', zone, file];
const KNOT = (zone, file) => ['kzonecheck', '-o', zone, file];
const PROGRAMS = {
  BIND,
  Knot: KNOT,
  NSD: (zone, file) => ['nsd-checkzone', zone, file],
  ldns: (_, file) => ['ldns-read-zone', file],
  dnspython: (zone, file) => ['/usr/bin/python3', '-c', DNSPYTHON, zone, file],
};

/** The name server of the service, which needs an address in the zones above it, such as the root. */
const OWN_SERVER = 'ns1.zonewright.invalid.';
const JSON_TYPE = 'application/json';
let lastImport = Promise.resolve();

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error('Name a folder with zone files, such as a checkout of github:isc-projects/bind9.');
  process.exit(2);
}
await prepare({ dev: false, built: true });
const place = mkdtempSync(path.join(os.tmpdir(), 'zonewright-zone-files-'));
const service = startService();
try {
  const { origin } = new URL(await urlOf(service));
  await assertPrograms();
  const results = await inParallel(filesIn(directory), (file) => compare(file, origin));
  process.exitCode = report(results);
} finally {
  service.kill();
  rmSync(place, { recursive: true, force: true });
}

function startService() {
  const quotas = ['ZONES', 'ZONE_RECORDSETS', 'ZONE_RECORDS', 'RECORDSET_RECORDS', 'API_EXPORT_SIZE'];
  return spawn(process.execPath, [path.join(root, 'dist/src/main.js')], {
    cwd: place,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ZONEWRIGHT_DATABASE__URL: 'sqlite:zones.sqlite',
      ZONEWRIGHT_SERVICE_API__LISTEN: '127.0.0.1:0',
      ZONEWRIGHT_AUTH__ADMIN_TOKEN: KEY,
      ZONEWRIGHT_SERVICE_API__CHANGES_PER_MINUTE: '0',
      ZONEWRIGHT_SERVICE_CENTRAL__NAME_SERVERS: OWN_SERVER,
      ZONEWRIGHT_LOG__FORMAT: 'json',
      ...Object.fromEntries(quotas.map((quota) => [`ZONEWRIGHT_DEFAULT__QUOTA_${quota}`, '1000000'])),
    },
  });
}

/** The start says it in a line of JSON. */
function urlOf({ stdout }) {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`the service did not start: ${text}`)), START_MS);
    stdout.on('data', (octets) => {
      if (text === null) return;
      text += octets;
      const [, url] = /"url":"(http[^"]+)"/.exec(text) ?? [];
      if (url === undefined) return;
      clearTimeout(timer);
      text = null;
      resolve(url);
    });
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${text}`)));
  });
}

/** A program that refuses a good zone is absent or broken. */
async function assertPrograms() {
  const file = path.join(place, 'good.zone');
  writeFileSync(
    file,
    'example.org. 60 IN SOA ns.example.net. h.example.net. 1 2 3 4 5\nexample.org. 60 IN NS ns.example.net.\n',
  );
  for (const [name, command] of Object.entries(PROGRAMS))
    if ((await run(command('example.org.', file))) !== null) throw new Error(`${name} cannot read a zone: install it`);
}

/** Each text once, in the order of their paths. */
function filesIn(folder) {
  const known = new Set();
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isZoneFile(entry))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
    .flatMap((file) => {
      const octets = readFileSync(file);
      const text = octets.toString('latin1');
      const hash = createHash('sha256').update(octets).digest('hex');
      if (known.has(hash) || octets.length > MAX_OCTETS || text.includes('\0')) return [];
      if (!/\bSOA\b/i.test(text) || /^\s*\$INCLUDE/im.test(text)) return [];
      known.add(hash);
      return [{ file, octets, zone: zoneIn(text) ?? zoneNamedBy(file) }];
    });
}

function isZoneFile({ name, parentPath }) {
  const isAmongZones = /^zones?$/i.test(path.basename(parentPath));
  return !PROGRAM_TEXT.test(name) && (ZONE_FILE.test(name) || isAmongZones);
}

/** The owner name of the SOA, if the text makes it absolute. */
function zoneIn(text) {
  let origin = null;
  for (const line of text.split(/\r?\n/)) {
    origin = /^\$ORIGIN\s+(\S*\.)(?:\s|$)/i.exec(line)?.[1] ?? origin;
    const [, owner] = /^(\S+)\s(?:.*\s)?SOA\s/i.exec(line) ?? [];
    if (owner === undefined || owner.startsWith(';')) continue;
    if (owner.endsWith('.')) return owner;
    return owner === '@' ? origin : origin && `${owner}.${origin === '.' ? '' : origin}`;
  }
  return null;
}

function zoneNamedBy(file) {
  const name = path.basename(file).replace(/^(?:db|pri)\./, '');
  const zone = name.replace(/(?:\.(?:zone|db|dns|signed|in|unsigned))+(?:\.[^.]+)?$/, '');
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(zone)) return 'example.org.';
  return zone.includes('.') ? `${zone}.` : `${zone}.example.`;
}

/** The verdicts of all on one file. */
async function compare({ file, octets, zone }, origin) {
  const accepting = [];
  for (const [name, command] of Object.entries(PROGRAMS))
    if ((await run(command(zone, file))) === null) accepting.push(name);
  const { refusal, exported, isFound = false } = await importInto(origin, zone, octets);
  const refusing = [];
  if (exported !== null) {
    const copy = path.join(place, `${randomBytes(8).toString('hex')}.zone`);
    writeFileSync(copy, exported);
    for (const [name, command] of [
      ['BIND', BIND],
      ['Knot', KNOT],
    ]) {
      const said = await run(command(zone, copy));
      if (said !== null) refusing.push({ name, said, isNew: accepting.includes(name) });
    }
    rmSync(copy);
  }
  return { file, zone, accepting, refusal, refusing, isFound };
}

/** Imports sequentially: one domain may be the parent of another. */
function importInto(origin, zone, octets) {
  const turn = lastImport.then(() => importAlone(origin, zone, octets));
  lastImport = turn.catch(() => undefined);
  return turn;
}

async function importAlone(origin, zone, octets) {
  const ask = (method, at, type, body) =>
    fetch(`${origin}/v1/domains${at}`, { method, body, headers: { 'X-Auth-Token': KEY, 'Content-Type': type } });
  const body = JSON.stringify({ name: zone, email: 'hostmaster@example.org', ttl: 3600 });
  const made = await ask('POST', '', JSON_TYPE, body);
  const domain = await made.json();
  if (!made.ok) return { refusal: `domain: ${domain.message}`, exported: null };
  const imported = await importAndExport(ask, domain, octets);
  const { status } = await ask('DELETE', `/${domain.id}`, JSON_TYPE);
  if (status >= 300) throw new Error(`deleting the domain ${zone} is answered with ${status}`);
  return imported;
}

async function importAndExport(ask, { id, name: zone }, octets) {
  const answer = await ask('POST', `/${id}/import`, 'text/dns', octets);
  if (answer.status >= 500) throw new Error(`an import is answered with ${answer.status}`);
  if (!answer.ok) return { refusal: refusalOf(await answer.json()), exported: null };
  if (OWN_SERVER.endsWith(zone === '.' ? '.' : `.${zone.toLowerCase()}`)) {
    const address = { name: OWN_SERVER, type: 'A', data: '192.0.2.53' };
    await ask('POST', `/${id}/records`, JSON_TYPE, JSON.stringify(address));
  }
  const { errors, warnings } = await (await ask('GET', `/${id}/check`, JSON_TYPE)).json();
  const exported = await (await ask('GET', `/${id}/export`, JSON_TYPE)).text();
  return { refusal: null, exported, isFound: [...errors, ...warnings.filter(isOfServer)].length > 0 };
}

/** Whether the warning tells of records for which BIND or Knot refuses a zone. */
function isOfServer({ type, message }) {
  return /^CDS|^CDNSKEY/.test(type) || /\b(?:BIND|Knot)\b/.test(message);
}

function refusalOf({ message, errors = [] }) {
  const [first] = errors;
  return first ? `${first.path}: ${first.message}` : message;
}

/** The error of the program for a refused file; `null`: accepted. */
function run([program, ...parameters]) {
  return new Promise((resolve) =>
    execFile(program, parameters, { timeout: PROGRAM_MS, maxBuffer: 64 * MAX_OCTETS }, (error, stdout, stderr) =>
      resolve(error === null ? null : summaryOf(`${stdout}${stderr}`) || error.message),
    ),
  );
}

/** The last lines say why. */
function summaryOf(output) {
  return output.trim().split('\n').slice(-3).join(' | ').replaceAll(place, '').slice(0, LONGEST_SUMMARY);
}

async function inParallel(items, work) {
  const results = [];
  const rest = items.entries();
  const worker = async () => {
    for (const [at, item] of rest) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: os.availableParallelism() }, worker));
  return results;
}

/** Returns the exit code. */
function report(results) {
  const accepted = results.filter(({ accepting }) => accepting.length >= MAJORITY);
  const refused = accepted.filter(({ refusal }) => refusal !== null);
  const imported = results.filter(({ refusal }) => refusal === null);
  const broken = imported.filter(({ refusing }) => refusing.length > 0);
  const silent = broken.filter(({ isFound }) => !isFound);
  console.log(`zone files: ${results.length}`);
  console.log(`accepted by at least ${MAJORITY} of ${Object.keys(PROGRAMS).length} programs: ${accepted.length}`);
  console.log(`  of these refused by the import: ${refused.length}`);
  console.log(`imported: ${imported.length}`);
  console.log(`  of these with an export that BIND or Knot refuses: ${broken.length}`);
  const changed = broken.filter(({ refusing }) => refusing.some(({ isNew }) => isNew));
  console.log(`    and of which the same program accepts the file: ${changed.length}`);
  console.log(`    and without a finding of the check that says so: ${silent.length}`);
  for (const { file, zone, refusing } of broken)
    console.log(
      `    ${file} (${zone}) ${refusing.map(({ name, said, isNew }) => `${name}${isNew ? ' (new)' : ''}: ${said}`).join('; ')}`,
    );
  const kinds = new Map();
  for (const result of refused) kinds.set(kindOf(result), [...(kinds.get(kindOf(result)) ?? []), result]);
  for (const [kind, files] of [...kinds].sort(([, a], [, b]) => b.length - a.length)) {
    console.log(`${files.length} refused: ${kind}`);
    for (const { file, zone, refusal } of files.slice(0, LISTED)) console.log(`    ${file} (${zone}) ${refusal}`);
  }
  return silent.length > 0 ? 1 : 0;
}

/** The message without file-specific parts. */
function kindOf({ refusal }) {
  return refusal.replace(/^line \d+, column \d+: /, '').replaceAll(/"(?:[^"\\]|\\.)*"/g, '"…"');
}
