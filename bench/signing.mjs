#!/usr/bin/env node
/**
 * The cost of a zone's first signing next to dedicated signers, the delay of a signed change, and transfers next to
 * those of knotd:
 *
 *   npm run bench:signing                     100,000 records
 *   npm run bench:signing -- 10000 --denial nsec3 --no-save
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
    save: { type: 'boolean', default: true },
  },
});
const { denial } = values;
const size = values.million ? MILLION : Number(positionals[0] ?? 100_000);
const machine = machineFacts();
const results = await inScratch(values.million ? measureMillion : measureAll);
const goals = values.million ? judgeMillion(results) : judge(results);
for (const figures of Object.values(results)) console.table(figures);
console.table(goals);
const name = values.million ? 'signing-million' : 'signing';
if (values.save) await saveResults(name, machine, { records: size, denial, goals, ...results });
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

async function writeZone(directory) {
  const file = path.join(directory, 'zone');
  await writeFile(file, [APEX, ...zoneText(size)]);
  return file;
}
