import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type UpdateSize, UpdateTurns } from './update-turns.js';

const LARGE: UpdateSize = { entries: 1000, octets: 4000 };
const OF_LARGE_RECORD: UpdateSize = { entries: 1, octets: 60_000 };
const SMALL: UpdateSize = { entries: 1, octets: 4 };
/** Four of them have 64 entries together. */
const OF_SIXTEEN_ENTRIES: UpdateSize = { entries: 16, octets: 64 };
const MOST_LARGE_OF_TENANT = 64;
const SMALL_OF_TENANT = 16;
const SMALL_IN_ALL = 32;

let updates: UpdateTurns;
let begun: string[];
let ends: (() => void)[];
// It logs refusals.
beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['error']));
beforeEach(() => {
  updates = new UpdateTurns();
  [begun, ends] = [[], []];
});

/** One that ends when the test says so. */
function send(tenant: string, size: UpdateSize): Promise<void> {
  return updates.run(size, tenant, () => {
    begun.push(tenant);
    return new Promise((end) => ends.push(end));
  });
}

function sendMany(tenants: string, size: UpdateSize): Promise<void>[] {
  return [...tenants].map((tenant) => send(tenant, size));
}

async function endFirst(): Promise<void> {
  ends.shift()?.();
  // The next one begins in a later turn of the event loop.
  await nextTurn();
}

/** The slot of an ended message stays taken for some milliseconds, so `ends` can be empty for a while. */
async function endAll(sent: Promise<void>[]): Promise<void> {
  const answered = new AbortController();
  const all = Promise.all(sent).finally(() => answered.abort());
  while (!answered.signal.aborted) await endFirst();
  await all;
}

describe('UPDATE turns', () => {
  it.each([LARGE, OF_LARGE_RECORD])('run large updates of a tenant one after the other: %j', async (size) => {
    const sent = sendMany('aaabbc', size);
    await nextTurn();
    expect(begun).toEqual(['a', 'b']);
    await endAll(sent);
    expect(begun.slice(2, 4)).toContain('c');
    expect([...begun].sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
  });

  it('run 16 small updates of a tenant at a time, and give each tenant its turn', async () => {
    const sent = sendMany('a'.repeat(100) + 'b'.repeat(100) + 'c', SMALL);
    await nextTurn();
    expect(begun.join('')).toBe('a'.repeat(SMALL_OF_TENANT) + 'b'.repeat(SMALL_IN_ALL - SMALL_OF_TENANT));
    for (let ended = 0; ended < 3; ended += 1) await endFirst();
    while (begun.length < SMALL_IN_ALL + 3) await nextTurn();
    expect(begun.slice(SMALL_IN_ALL)).toContain('c');
    await endAll(sent);
  });

  it('run small updates of a tenant with 64 entries together at a time', async () => {
    const sent = sendMany('a'.repeat(20) + 'b', OF_SIXTEEN_ENTRIES);
    await nextTurn();
    expect(begun.join('')).toBe('aaaab');
    await endAll(sent);
    expect(begun).toHaveLength(sent.length);
  });

  it('refuse a large update of a tenant with 64 in progress, but no small ones', async () => {
    const sent = sendMany('a'.repeat(MOST_LARGE_OF_TENANT), LARGE);
    await expect(send('a', LARGE)).rejects.toMatchObject({ code: 'unavailable' });
    const others = [send('b', LARGE), send('a', SMALL)];
    await nextTurn();
    expect(begun).toEqual(expect.arrayContaining(['a', 'b', 'a']));
    await endAll([...sent, ...others]);
  });
});
