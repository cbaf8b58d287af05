#!/usr/bin/env node
/**
 * The cost of a zone's first signing next to dedicated signers, the delay of a signed change, and transfers next to
 * those of knotd:
 *
 *   npm run bench:signing                     100,000 records
 *   npm run bench:signing -- 10000 --denial nsec3 --no-save
 *   npm run bench:signing -- --token          with keys in a token of SoftHSM, next to keys in the database, and nothing else
 *   npm run bench:signing -- --million        the first signing of 1,000,000 records, and nothing else
 *
 * All sign the same records with one key of one algorithm. CPU time is compared, as dnssec-signzone and kzonesign use
 * all cores. The service also verifies each signature. Prints tables, writes results/signing.json or
 * signing-million.json, and exits with 1 when it misses a goal.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isMissed, judgedAtMost } from './goals.mjs';
import { machineFacts, saveResults } from './results.mjs';
import { inScratch } from './scratch.mjs';
import { ZONE } from './servers/primaries.mjs';
import { changedSets, newNames } from './signing/changes.mjs';
import { besideSigning, firstSigning, startSigningService } from './signing/service.mjs';
import { signersBeside } from './signing/signers.mjs';
import { tokenSettings } from './signing/token.mjs';
import { transfersOf, transfersOfKnot } from './signing/transfers.mjs';
import { zoneText } from './zone-text.mjs';

const MILLION = 1_000_000;
const APEX = `$ORIGIN ${ZONE}\n$TTL 3600\n@ SOA ns1.example.net. hostmaster 1 3600 600 1209600 300\n@ NS ns1.example.net.\n`;

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: {
    denial: { type: 'string', default: 'nsec' },
    million: { type: 'boolean', default: false },
    token: { type: 'boolean', default: false },
    save: { type: 'boolean', default: true },
  },
});
const { denial } = values;
const size = values.million ? MILLION : Number(positionals[0] ?? 100_000);
const machine = machineFacts();
const [kind, measure, judgeIt] = values.million
  ? ['signing-million', measureMillion, judgeMillion]
  : values.token
    ? ['signing-token', measureToken, judgeToken]
    : ['signing', measureAll, judge];
const results = await inScratch(measure);
const goals = judgeIt(results);
for (const figures of Object.values(results)) console.table(figures);
console.table(goals);
if (values.save) await saveResults(kind, machine, { records: size, denial, goals, ...results });
process.exitCode = goals.some(isMissed) ? 1 : 0;

/** Issue 29, point 10. */
function judge({ signing: [service, bind], changes: [added, changed], transfers: [ours] }) {
  const cpu = bind === undefined || bind.cpu === null ? null : service.cpu / bind.cpu;
  return [
    judgedAtMost('first signing, processor time, times that of dnssec-signzone', 1.3, cpu),
    judgedAtMost('creates of another domain while all is signed, p99, ms', 50, service.p99),
    judgedAtMost('memory of a first signing, MB', 300, service.megabytes),
    judgedAtMost('a change of a signed zone until the NOTIFY, p50, ms', 10, added.p50),
    judgedAtMost('IXFR of a signed zone for a new name, octets', 1300, added.ixfr),
    judgedAtMost('IXFR of a signed zone for a changed set, octets', 900, changed.ixfr),
    judgedAtMost('AXFR of a signed zone rendered, s', 0.15, ours.again),
    judgedAtMost('AXFR of a signed zone of a new serial, s', 1.2, ours.cold),
  ];
}

function judgeMillion({ signing: [service] }) {
  return [judgedAtMost('memory of a first signing of 1,000,000 records, MB', 400, service.megabytes)];
}

function judgeToken({ signing: [database, token] }) {
  const times = token === undefined ? null : token.seconds / database.seconds;
  return [judgedAtMost('first signing with keys in a token, times that with keys in the database', 3, times)];
}

async function measureAll(directory) {
  const file = await writeZone(directory);
  // They finish before the service starts: CPU time below this process is then theirs.
  const others = await signersBeside(directory, file, denial);
  const service = await startSigningService(path.join(directory, 'service'), file, denial);
  const alone = await firstSigning(service);
  const changes = [await newNames(service), await changedSets(service)];
  const transfers = [await transfersOf(service)];
  // Last: changes wait until the replaced generation is deleted.
  const beside = await besideSigning(service);
  await service.end();
  transfers.push(...(await transfersOfKnot(path.join(directory, 'knot'), file, denial)));
  return { signing: [{ ...alone, ...beside }, ...others], changes, transfers };
}

async function measureMillion(directory) {
  const service = await startSigningService(path.join(directory, 'service'), await writeZone(directory), denial);
  const alone = await firstSigning(service);
  await service.end();
  return { signing: [alone] };
}

async function measureToken(directory) {
  const file = await writeZone(directory);
  const signing = [];
  for (const [where, settings] of [
    ['database', {}],
    ['token', tokenSettings(directory)],
  ]) {
    if (settings === null) continue;
    const service = await startSigningService(path.join(directory, where), file, denial, settings);
    signing.push({ ...(await firstSigning(service)), program: `keys in the ${where}` });
    await service.end();
  }
  return { signing };
}

async function writeZone(directory) {
  const file = path.join(directory, 'zone');
  await writeFile(file, [APEX, ...zoneText(size)]);
  return file;
}
