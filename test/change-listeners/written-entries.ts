import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** An entry as the listener of `installListener` has written it down. */
export interface WrittenEntry {
  /** The process that has given it. */
  readonly pid: number;
  readonly zoneId: string;
  readonly number: number;
}

/** A local package whose listener writes its entries to a file from any process. Returns its name for `packages`. */
export async function installListener(directory: string): Promise<string> {
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
  await writeFile(join(directory, 'writing.js'), pluginWritingTo(fileIn(directory)));
  return './writing.js';
}

/** Written entries in order. */
export function writtenIn(directory: string): WrittenEntry[] {
  if (!existsSync(fileIn(directory))) return [];
  const lines = readFileSync(fileIn(directory), 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as WrittenEntry);
}

/** The numbers of each zone, in the order in which they were written. */
export function numbersByZone(entries: readonly WrittenEntry[]): ReadonlyMap<string, number[]> {
  const numbers = new Map<string, number[]>();
  for (const { zoneId, number } of entries) numbers.set(zoneId, [...(numbers.get(zoneId) ?? []), number]);
  return numbers;
}

/** Where a zone's numbers do not count from 1: the first of each is one more than all before it. */
export function gapsIn(numbers: readonly number[]): number[] {
  let highest = 0;
  const gaps = numbers.filter((number) => {
    const isGap = number > highest + 1;
    highest = Math.max(highest, number);
    return isGap;
  });
  return gaps;
}

function fileIn(directory: string): string {
  return join(directory, 'written');
}

function pluginWritingTo(file: string): string {
  return `
import { appendFileSync } from 'node:fs';

class Writing {
  async receive(entries) {
    const lines = entries.map(({ zone, number }) => JSON.stringify({ pid: process.pid, zoneId: zone.id, number }) + '\\n');
    appendFileSync(${JSON.stringify(file)}, lines.join(''));
  }
}

export default {
  name: 'writing',
  zonewright: '*',
  api: () => ({ listeners: [{ name: 'writing', listener: Writing }] }),
};
`;
}
