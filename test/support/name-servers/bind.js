import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documentedFor } from './documented.js';

export const needs = { named: 'bind9' };

/** Writes the configuration of docs/publishing.md, and returns the command that serves it. */
export async function configure({ directory, zones, ...place }) {
  const file = join(directory, 'named.conf');
  const text = documentedFor('named.conf', { directory, ...place });
  await writeFile(file, withOwnFiles(text, directory) + zones.map(secondaryZone).join(''));
  return ['named', '-g', '-n', '1', '-c', file];
}

function withOwnFiles(text, directory) {
  const own = [`pid-file "${join(directory, 'named.pid')}"`, 'session-keyfile none', 'listen-on-v6 { none; }'];
  return `controls { };\n${text.replace('options {', `options {\n  ${own.join(';\n  ')};`)}`;
}

function secondaryZone(name) {
  return `zone "${name}" { type secondary; file "${name}"; primaries { zonewright; }; };\n`;
}
