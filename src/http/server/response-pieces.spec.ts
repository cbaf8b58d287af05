import { describe, expect, it } from '@jest/globals';
import { isLongJson, jsonStreamOf, jsonTextOf } from './response-pieces.js';

const LONG = 'ä"\\\u2028\n'.repeat(30_000);

const VALUES: readonly object[] = [
  {},
  [],
  { list: [] },
  { data: LONG },
  [LONG, LONG, null, undefined, 1.5, true],
  {
    before: undefined,
    list: Array.from({ length: 3000 }, (_, id) => ({ id, name: `n${id}`, none: null, left: undefined })),
  },
  { deep: { deeper: [{ deepest: LONG }, [], {}, [[LONG]]] }, behind: 'x' },
];

async function read(value: object): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of jsonStreamOf(value)) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

describe('JSON in pieces', () => {
  it.each(VALUES.map((value, at) => [at, value] as const))('equals JSON.stringify for value %d', async (_, value) => {
    const whole = JSON.stringify(value);
    expect(await read(value)).toBe(whole);
    expect(await jsonTextOf(value)).toBe(whole);
  });

  it('is used above 256 KiB', () => {
    expect(isLongJson({ data: 'x'.repeat(200_000) })).toBe(false);
    expect(isLongJson({ data: 'x'.repeat(300_000) })).toBe(true);
    expect(isLongJson(Array.from({ length: 2000 }, () => ({ data: 'x'.repeat(200) })))).toBe(true);
  });
});
