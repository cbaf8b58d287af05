import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Scheduler } from './scheduler.js';
import { GatheredWrites } from './gathered-writes.js';
import { LeaseRepository } from './lease.repository.js';

let background: Scheduler;
beforeEach(() => {
  Logger.overrideLogger(false);
  // Tasks without a lease make no queries.
  background = new Scheduler(Object.create(LeaseRepository.prototype) as LeaseRepository);
  background.start();
});
afterEach(() => background.stop());

/** Writes into a list; the first `failures` writes fail. */
function gathered(failures = 0): { writes: GatheredWrites<number>; written: [string, number][][] } {
  const written: [string, number][][] = [];
  let left = failures;
  const writes = new GatheredWrites<number>({ name: 'gathered' }, (notes) => {
    left -= 1;
    if (left >= 0) return Promise.reject(new Error('no database'));
    written.push([...notes]);
    return Promise.resolve();
  });
  writes.addTasks(background);
  return { writes, written };
}

it('writes entries together, the latest of each key', async () => {
  const { writes, written } = gathered();
  writes.note('a', 1, 10_000);
  writes.note('b', 2, 10_000);
  writes.note('a', 3, 10_000);
  expect([writes.find('a'), writes.find('c')]).toEqual([3, undefined]);
  await writes.flush();
  await writes.flush();
  expect(written).toEqual([
    [
      ['a', 3],
      ['b', 2],
    ],
  ]);
  expect(writes.find('a')).toBeUndefined();
});

it('a note is written as soon as the most urgent one is', async () => {
  const { writes, written } = gathered();
  writes.note('a', 1, 60_000);
  writes.note('b', 2, 1);
  while (written.length === 0) await new Promise(setImmediate);
  expect(written.flat()).toHaveLength(2);
});

it('retries a failed write with the next one, unless that has a newer entry of the key', async () => {
  const { writes, written } = gathered(1);
  writes.note('a', 1, 60_000);
  writes.note('b', 2, 60_000);
  await writes.flush();
  expect(writes.find('a')).toBe(1);
  writes.note('a', 3, 60_000);
  await writes.flush();
  expect(written).toEqual([
    [
      ['a', 3],
      ['b', 2],
    ],
  ]);
});

it('a stop flushes pending writes', async () => {
  const { writes, written } = gathered();
  writes.note('a', 1, 60_000);
  await background.stop();
  expect(written).toEqual([[['a', 1]]]);
});
