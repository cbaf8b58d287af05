import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { TokenBucket } from './token-bucket.js';

let now = 0;
beforeEach(() => void jest.spyOn(performance, 'now').mockImplementation(() => now));
afterEach(() => void jest.restoreAllMocks());

it('gives its capacity immediately, and then one after the other', () => {
  const bucket = new TokenBucket(100, 3);
  expect([1, 2, 3, 4].map(() => bucket.tryTake())).toEqual([true, true, true, false]);
  expect(bucket.timeToNext()).toBe(100);
  now += 100;
  expect(bucket.timeToNext()).toBe(0);
  expect(bucket.tryTake()).toBe(true);
  expect(bucket.isFull).toBe(false);
  now += 10_000;
  expect(bucket.isFull).toBe(true);
});

it('goes into debt for tokens taken in advance', () => {
  const bucket = new TokenBucket(1000, 5);
  bucket.takeInAdvance(8);
  expect(bucket.timeToNext()).toBe(4000);
  now += 3000;
  expect(bucket.tryTake()).toBe(false);
  now += 1001;
  expect(bucket.tryTake()).toBe(true);
});

it('never gives more than its capacity and the refill since', () => {
  const pauses = fc.array(fc.nat(2000), { maxLength: 100 });
  const property = fc.property(
    pauses,
    fc.integer({ min: 50, max: 1000 }),
    fc.integer({ min: 1, max: 20 }),
    (...drawn) => {
      const [waits, interval, capacity] = drawn;
      const begun = now;
      const bucket = new TokenBucket(interval, capacity);
      let taken = 0;
      for (const wait of waits) {
        now += wait;
        while (bucket.tryTake()) taken += 1;
        expect(taken).toBeLessThanOrEqual(capacity + (now - begun) / interval + 1e-6);
      }
    },
  );
  fc.assert(property);
});
