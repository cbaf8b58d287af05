#!/usr/bin/env node
/**
 * `npm run bench`: how fast the service is beside what it is built of and beside its peers, all in the same run.
 *
 *   npm run bench                                  everything, as the figures in the documentation are measured
 *   npm run bench -- --quick                       a first impression, nothing is written
 *   npm run bench -- --parts service --only create,get --connections 32 --contestants 'Zonewright*;Nest'
 *
 * --parts service,scale,zones   --rounds 5   --seconds 3   --warm-up 1   --no-save
 */
import { parseArgs } from 'node:util';

const PARTS = {
  service: async (settings) => (await import('./service.mjs')).benchService(settings),
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
  save: values.save ?? !values.quick,
};
for (const part of values.parts.split(',')) {
  const bench = PARTS[part];
  if (bench === undefined) throw new Error(`unknown part ${part}; there are ${Object.keys(PARTS).join(', ')}`);
  await bench(settings);
}

function list(text, separator = ',') {
  return text === undefined ? null : text.split(separator).map((wish) => wish.trim());
}
