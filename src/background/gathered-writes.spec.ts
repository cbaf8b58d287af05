import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Scheduler } from './scheduler.js';
import { GatheredWrites } from './gathered-writes.js';
import { LeaseRepository } from './lease.repository.js';

let background: Scheduler;
beforeEach(() => {
  Logger.overrideLogger(false);
  // What has no lease asks the database nothing.
  background = new Scheduler(Object.create(LeaseRepository.prototype) as LeaseRepository);
  background.start();
});
afterEach(() => background.stop());

/** Writes into a list, and fails as often as it is told to first. */
function gathered(failures = 0): { writes: GatheredWrites<number>; written: [string, number][][] } {
  const written: [string, number][][] = [];
  let left = failures;
  const writes = new GatheredWrites<number>(background, { name: 'gathered' }, (notes) => {
    left -= 1;
    if (left >= 0) return Promise.reject(new Error('no database'));
    written.push([...notes]);
    return Promise.resolve();
  });
  return { writes, written };
}

it('what is noted is written together, the latest note of each key', async () => {
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

it('what could not be written is written with what comes after it, unless that is of the same key', async () => {
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

it('a stop writes what is pending', async () => {
  const { writes, written } = gathered();
  writes.note('a', 1, 60_000);
  await background.stop();
  expect(written).toEqual([[['a', 1]]]);
});
