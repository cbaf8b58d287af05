import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentedFor } from './documented.js';

export const needs = { knotd: 'knot' };

/** Writes the configuration of docs/publishing.md, and returns the command that serves it. */
export async function configure({ directory, zones, ...place }) {
  const file = join(directory, 'knot.conf');
  const text = documentedFor('knot.conf', { directory, ...place });
  await writeFile(file, withOwnFiles(text, directory) + zones.map(secondaryZone).join(''));
  return ['knotd', '-c', file];
}

function withOwnFiles(text, directory) {
  const server = ['server:', `rundir: ${directory}`, 'udp-workers: 1', 'tcp-workers: 1', 'background-workers: 2'];
  return `log:\n  - target: stderr\n    any: info\n${text.replace('server:', server.join('\n  '))}`;
}

function secondaryZone(name) {
  return `  - domain: ${name}\n`;
}
