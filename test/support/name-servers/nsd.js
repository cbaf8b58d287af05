import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathOf } from './daemon.js';
import { documentedFor } from './documented.js';

export const needs = { nsd: 'nsd', 'nsd-control': 'nsd' };

/** Writes the configuration of docs/publishing.md, and returns the command that serves it. */
export async function configure({ directory, zones, ...place }) {
  const file = join(directory, 'nsd.conf');
  const text = documentedFor('nsd.conf', { directory, ...place });
  await writeFile(file, withOwnFiles(text, directory) + zones.map(secondaryZone).join(''));
  return ['nsd', '-d', '-V', '2', '-c', file];
}

/** `nsd-control` for that server. */
export function nsdControlCommand({ directory }) {
  return `${pathOf('nsd-control')} -c ${join(directory, 'nsd.conf')}`;
}

function withOwnFiles(text, directory) {
  const files = { pidfile: 'nsd.pid', xfrdfile: 'xfrd.state', zonelistfile: 'zone.list', xfrdir: '' };
  const lines = Object.entries(files).map(([option, name]) => `  ${option}: "${join(directory, name)}"`);
  const own = ['  username: ""', '  server-count: 1', '  database: ""', ...lines];
  return text.replace('server:\n', `server:\n${own.join('\n')}\n`);
}

function secondaryZone(name) {
  return `zone:\n  name: ${name}\n  include-pattern: zonewright\n`;
}
