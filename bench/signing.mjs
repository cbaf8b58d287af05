#!/usr/bin/env node
/**
 * What it costs to sign a zone for the first time, beside programs that do nothing else, and how fast a change of it is signed:
 *
 *   npm run bench:signing                     100,000 records
 *   npm run bench:signing -- 10000 --denial nsec3 --no-save
 *
 * dnssec-signzone and ldns-signzone sign the same records with one key of the same algorithm; their processor time is compared,
 * as they use all cores. The service verifies each signature besides. It is started anew when the records are there, so that
 * nothing of their import is in its memory. Then all is signed once more, while creates of another domain are sent at a fixed
 * rate. Prints tables, writes results/signing.json, and ends with 1 when a goal is missed.
 */
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { serialOf } from '../test/support/name-servers/name-servers.js';
import { isMissed, judgedAtMost } from './goals.mjs';
import { cpuSeconds, forgetPeak, freePort, peakOf, run, stop } from './processes.mjs';
import { startNotifySink } from './publishing/notify-sink.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { runZonewright, startZonewright } from './servers/zonewright.mjs';
import { quantiles, round } from './statistics.mjs';
import { zoneText } from './zone-text.mjs';

const ZONE = 'signed.example.';
/** Between two creates of the other domain, in milliseconds. */
const PACE = 20;
const POLL = 50;
const SELDOM = 500;
const CHANGES = 50;
const PATIENCE = 600_000;

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: { denial: { type: 'string', default: 'nsec' }, save: { type: 'boolean', default: true } },
});
const size = Number(positionals[0] ?? 100_000);
const machine = machineFacts();
const results = await inScratch(measureAll);
const goals = judge(results);
console.table(results.signing);
console.table([results.changes]);
console.table(goals);
if (values.save) await saveResults('signing', machine, { records: size, denial: values.denial, goals, ...results });
process.exitCode = goals.some(isMissed) ? 1 : 0;

/** Issue 29, point 10. */
function judge({ signing: [service, bind], changes }) {
  return [
    judgedAtMost('processor time of a first signing, times that of dnssec-signzone', 1.3, service.cpu / bind.cpu),
    judgedAtMost('creates of another domain meanwhile, p99, ms', 50, service.p99),
    judgedAtMost('memory, MB', 300, service.megabytes),
    judgedAtMost('a change, until a notified name server knows it signed, p50, ms', 10, changes.p50),
    judgedAtMost('IXFR for a new name, octets', 1300, changes.ixfr),
  ];
}

async function measureAll(directory) {
  const text = [...zoneText(size)].join('');
  // They are run to their end before there is a service: then all that is taken below this process is theirs.
  const others = await signersBeside(directory, text);
  const { signing, changes } = await service(path.join(directory, 'service'), text);
  return { signing: [signing, ...others], changes };
}

async function signersBeside(directory, text) {
  const soa = `@ 3600 SOA ns1.example.net. hostmaster.example.org. 1 3600 600 1209600 300\n@ NS ns1.example.net.\n`;
  const file = path.join(directory, 'zone');
  await writeFile(file, `$ORIGIN ${ZONE}\n$TTL 3600\n${soa}${text}`);
  const keygen = ['-q', '-a', 'ECDSAP256SHA256', '-f', 'KSK', '-K', directory, ZONE];
  const key = path.join(directory, run('dnssec-keygen', keygen).trim());
  const nsec3 = values.denial === 'nsec3';
  return [
    timed('dnssec-signzone', [
      ...['-q', '-S', '-z', '-K', directory, '-d', directory, ...(nsec3 ? ['-3', '-', '-H', '0'] : [])],
      ...['-o', ZONE, '-f', `${file}.bind`, file],
    ]),
    timed('ldns-signzone', [...(nsec3 ? ['-n', '-t', '0'] : []), '-o', ZONE, '-f', `${file}.ldns`, file, key]),
  ];
}

function timed(program, args) {
  const [cpu, started] = [cpuSeconds([process.pid]), performance.now()];
  run(program, args);
  const seconds = round((performance.now() - started) / 1000);
  return { program, seconds, cpu: cpu === null ? null : round(cpuSeconds([process.pid]) - cpu) };
}

async function service(directory, text) {
  await mkdir(directory);
  const [sink, primary] = [await startNotifySink(), await freePort()];
  const program = { name: 'Zonewright', core: null };
  const importing = await startZonewright({
    ...{ ...program, directory, databaseUrl: 'sqlite:bench.sqlite' },
    settings: {
      ZONEWRIGHT_SERVICE_MDNS__ENABLED: 'True',
      ZONEWRIGHT_SERVICE_MDNS__LISTEN: `127.0.0.1:${primary}`,
      ZONEWRIGHT_SERVICE_MDNS__SECONDARIES: `127.0.0.1:${sink.port}`,
      ZONEWRIGHT_SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
      ZONEWRIGHT_SERVICE_DNSSEC__ENABLED: 'True',
      ZONEWRIGHT_SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    },
  });
  const make = (name) => importing.call('POST', '/v1/domains', { name, email: 'hostmaster@example.org' });
  const [zone, other] = [await make(ZONE), await make('other.example.')];
  await importing.call('POST', `/v1/domains/${zone.id}/import`, text, 'text/dns');
  await stop(importing.child);
  const zonewright = await runZonewright({ ...importing, ...program });
  try {
    const alone = await firstSigning(zonewright, zone);
    const changed = await changes(zonewright, zone, sink, primary);
    // Last: until what it takes the place of has been removed, changes wait.
    return { signing: { ...alone, ...(await besideSigning(zonewright, zone, other)) }, changes: changed };
  } finally {
    await stop(zonewright.child);
    sink.close();
  }
}

/** Nothing is asked meanwhile: it would be counted as signing. */
async function firstSigning({ call, child }, zone) {
  forgetPeak(child.pid);
  const [cpu, started] = [cpuSeconds([child.pid]), performance.now()];
  await call('PUT', `/v1/domains/${zone.id}/dnssec`, { enabled: true, denial: values.denial });
  await until(async () => (await publishedSerialOf(call, zone)) !== null, SELDOM);
  const seconds = round((performance.now() - started) / 1000);
  const taken = cpu === null ? null : round(cpuSeconds([child.pid]) - cpu);
  return { program: 'Zonewright', seconds, cpu: taken, megabytes: Math.round(peakOf(child.pid)) };
}

/** How long creates of another domain take while all is signed once more. */
async function besideSigning({ call }, zone, other) {
  const before = await publishedSerialOf(call, zone);
  const state = { isOver: false };
  const creates = paced(state, (at) => create(call, other, `beside-${at}`));
  await call('POST', `/v1/domains/${zone.id}/dnssec/resign`, {});
  await until(async () => (await publishedSerialOf(call, zone)) !== before, SELDOM);
  state.isOver = true;
  const { p99, max } = quantiles(await creates);
  return { p99, max };
}

/** A new name at a time: from the answer of the API until a name server that is notified has been told the serial that is signed. */
async function changes({ call }, zone, sink, primary) {
  const waits = [];
  let octets = 0;
  for (let at = 0; at < CHANGES; at += 1) {
    await delay(POLL);
    const before = await publishedSerialOf(call, zone);
    const notified = sink.next();
    await create(call, zone, at);
    const answered = performance.now();
    await notified;
    const serial = await serialOf(primary, ZONE);
    waits.push(performance.now() - answered);
    if (serial === null || serial <= before) throw new Error(`the serial is ${serial}, and was ${before}`);
    octets += octetsOf(primary, before);
  }
  return { changes: CHANGES, ...quantiles(waits), ixfr: Math.round(octets / CHANGES) };
}

function octetsOf(port, serial) {
  const answer = run('dig', ['@127.0.0.1', '-p', String(port), '+tcp', `ixfr=${serial}`, ZONE]);
  return Number(/bytes (\d+)/.exec(answer)?.[1]);
}

async function publishedSerialOf(call, { id }) {
  return (await call('GET', `/v1/domains/${id}/dnssec`)).published_serial;
}

function create(call, { id, name }, at) {
  return call('POST', `/v1/domains/${id}/records`, { name: `new-${at}.${name}`, type: 'A', data: '192.0.2.1' });
}

/** How long each took, in milliseconds; sent whether or not those before are answered. */
async function paced(state, send) {
  const sent = [];
  for (const begun = performance.now(); !state.isOver;) {
    const at = performance.now();
    sent.push(send(sent.length).then(() => performance.now() - at));
    await delay(Math.max(0, begun + sent.length * PACE - performance.now()));
  }
  return Promise.all(sent);
}

async function until(isSo, pause) {
  const deadline = performance.now() + PATIENCE;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${PATIENCE / 1000} s`);
    await delay(pause);
  }
}
