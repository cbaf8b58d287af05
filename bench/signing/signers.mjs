import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { existsSync, mkdirSync } from 'node:fs';
import { cpuSeconds, run } from '../processes.mjs';
import { ZONE } from '../servers/primaries.mjs';
import { round } from '../statistics.mjs';

const FOLDER = '/usr/bin';

/** The cost of installed programs that sign a zone file and exit. */
export async function signersBeside(directory, file, denial) {
  const signers = { 'dnssec-signzone': bind, 'ldns-signzone': ldns, kzonesign: knot };
  const measured = [];
  for (const [program, prepare] of Object.entries(signers)) {
    if (existsSync(path.join(FOLDER, program)))
      measured.push(timed(program, await prepare(directory, file, denial === 'nsec3')));
    else console.log(`SKIPPED ${program}: it is not installed`);
  }
  return measured;
}

/** How knotd and kzonesign sign, as their configuration has it. */
export function knotPolicy(denial) {
  return `policy:
  - id: bench
    algorithm: ecdsap256sha256
    single-type-signing: on
    nsec3: ${denial === 'nsec3' ? 'on' : 'off'}
    nsec3-iterations: 0
    nsec3-salt-length: 0
`;
}

function bind(directory, file, isNsec3) {
  makeKey(directory);
  const nsec3 = isNsec3 ? ['-3', '-', '-H', '0'] : [];
  return ['-q', '-S', '-z', '-K', directory, '-d', directory, ...nsec3, '-o', ZONE, '-f', `${file}.bind`, file];
}

function ldns(directory, file, isNsec3) {
  const key = path.join(directory, makeKey(directory));
  return [...(isNsec3 ? ['-n', '-t', '0'] : []), '-o', ZONE, '-f', `${file}.ldns`, file, key];
}

async function knot(directory, file, isNsec3) {
  const own = path.join(directory, 'kzonesign');
  mkdirSync(own);
  const configuration = path.join(own, 'knot.conf');
  const zone = `zone:
  - domain: ${ZONE}
    storage: "${own}"
    file: "${file}"
    dnssec-signing: on
    dnssec-policy: bench
`;
  const policy = knotPolicy(isNsec3 ? 'nsec3' : 'nsec');
  await writeFile(configuration, `database:\n    storage: "${own}"\n${policy}${zone}`);
  return ['-c', configuration, '-o', own, ZONE];
}

let madeKey = null;

/** One for all programs that take BIND's; returns its name. */
function makeKey(directory) {
  madeKey ??= run('dnssec-keygen', ['-q', '-a', 'ECDSAP256SHA256', '-f', 'KSK', '-K', directory, ZONE]).trim();
  return madeKey;
}

function timed(program, args) {
  const [cpu, started] = [cpuSeconds([process.pid]), performance.now()];
  run(program, args);
  const seconds = round((performance.now() - started) / 1000);
  return { program, seconds, cpu: cpu === null ? null : round(cpuSeconds([process.pid]) - cpu) };
}
