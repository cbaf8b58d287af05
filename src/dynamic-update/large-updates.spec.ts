import { setImmediate as nextTurn } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { LargeUpdates } from './large-updates.js';

const LARGE = 1000;
const MOST_OF_TENANT = 64;

let updates: LargeUpdates;
let begun: string[];
let ends: (() => void)[];
// It warns of what is refused.
beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(['error']));
beforeEach(() => {
  updates = new LargeUpdates();
  [begun, ends] = [[], []];
});

/** One that ends when the test says so. */
function send(tenant: string, size = LARGE): Promise<void> {
  return updates.inTurn(size, tenant, () => {
    begun.push(tenant);
    return new Promise((end) => ends.push(end));
  });
}

async function endFirst(): Promise<void> {
  ends.shift()?.();
  // What waits for it begins in a later turn.
  await nextTurn();
}

describe('large updates', () => {
  it('of a tenant go one after the other, and tenants take turns', async () => {
    const sent = ['a', 'a', 'a', 'b', 'b', 'c'].map((tenant) => send(tenant));
    await nextTurn();
    expect(begun).toEqual(['a', 'b']);
    while (ends.length > 0) await endFirst();
    await Promise.all(sent);
    expect(begun.slice(2, 4).sort()).toEqual(['a', 'c']);
    expect([...begun].sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'c']);
  });

  it('are refused where a tenant has too many of them under way, and small ones are not', async () => {
    const sent = Array.from({ length: MOST_OF_TENANT }, () => send('a'));
    await expect(send('a')).rejects.toMatchObject({ code: 'unavailable' });
    const others = [send('b'), send('a', 1)];
    await nextTurn();
    expect(begun).toEqual(expect.arrayContaining(['a', 'b', 'a']));
    while (ends.length > 0) await endFirst();
    await Promise.all([...sent, ...others]);
  });
});
