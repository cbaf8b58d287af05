import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it, jest } from '@jest/globals';
import { type Target, violationsUnder } from './attack.js';
import { IS_LONG, TEST_TIMEOUT_MS } from './form.js';

jest.setTimeout(TEST_TIMEOUT_MS);

/** Record counts, and the longest check in milliseconds while the service and its client run. */
const SIZES: readonly (readonly [records: number, longest: number])[] = IS_LONG
  ? [
      [40_000, 10_000],
      [1_000_000, 20_000],
    ]
  : [[10_000, 6000]];

describe('zonewright check while the service runs', () => {
  it.each(SIZES)('goes through %d records in time, and changes go on meanwhile', async (records, longest) => {
    const violations = await violationsUnder({
      name: `check of ${records} records`,
      isUnaudited: records > 100_000,
      prepare: (target) => importZone(target, records),
      run: async (target) => {
        for (const args of [['check'], ['check', '--fix']]) {
          const start = performance.now();
          const { code, stdout, stderr } = await target.zonewright(...args);
          const took = performance.now() - start;
          target.note({ [args.join(' ')]: took });
          target.must(code === 0, `${args.join(' ')} ended with ${String(code)}: ${stdout}${stderr}`);
          target.mustTake(took, longest, `${args.join(' ')} took too long`);
        }
      },
    });
    expect(violations).toEqual([]);
  });
});

/** Through the command line, which no quota limits. */
async function importZone(target: Target, records: number): Promise<void> {
  const file = join(target.directory, 'large.example.net.zone');
  await pipeline(Readable.from(linesOf(records)), createWriteStream(file));
  const { code, stderr } = await target.zonewright(
    'zone',
    'import',
    file,
    '--create',
    '--email',
    'hostmaster@example.org',
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

function* linesOf(records: number): Generator<string> {
  for (let at = 0; at < records; at++) yield `h${at} 3600 IN A 192.0.2.${at % 256}\n`;
}
