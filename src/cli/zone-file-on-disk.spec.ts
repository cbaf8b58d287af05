import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ZoneFile } from '../zone-files/zone-file.js';
import { onZoneFile } from './zone-file-on-disk.js';

const TEXT = 'www A 192.0.2.1\n'.repeat(10_000);

interface Bar {
  readonly label: string;
  readonly total: number;
  done: number;
  isOver: boolean;
}

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  await writeFile(join(directory, 'a.zone'), TEXT);
});
afterAll(() => rm(directory, { recursive: true }));

/** The bars that were shown while `work` was done with the file. */
async function barsOf(work: (file: ZoneFile) => Promise<void>): Promise<Bar[]> {
  const bars: Bar[] = [];
  const start = (label: string, total: number) => {
    const bar: Bar = { label, total, done: 0, isOver: false };
    bars.push(bar);
    return Promise.resolve({ advance: (amount: number) => (bar.done += amount), end: () => (bar.isOver = true) });
  };
  await onZoneFile(join(directory, 'a.zone'), work, start);
  return bars;
}

async function read(file: ZoneFile, atMost = Infinity): Promise<void> {
  let octets = 0;
  for await (const piece of file.octets()) if ((octets += piece.length) >= atMost) break;
}

it.each([1, 2, 3])('the bar of each reading reaches the end of a file that is read %s times', async (times) => {
  const bars = await barsOf(async (file) => {
    for (let reading = 0; reading < times; reading += 1) await read(file);
  });
  expect(bars).toEqual(
    Array.from({ length: times }, (_, at) => ({
      label: `import, reading ${String(at + 1)}`,
      total: TEXT.length,
      done: TEXT.length,
      isOver: true,
    })),
  );
});

it('a reading that is broken off takes its bar away', async () => {
  const [bar] = await barsOf((file) => read(file, 1));
  expect(bar?.isOver).toBe(true);
  expect(bar?.done).toBeLessThan(TEXT.length);
});
