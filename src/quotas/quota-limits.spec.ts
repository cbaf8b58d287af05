import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ChangeRate } from './quota-limits.js';

const done = (weight?: number) => (weigh: (weight: number) => void) => {
  if (weight !== undefined) weigh(weight);
  return Promise.resolve('done');
};

beforeAll(() => Logger.overrideLogger(false));
beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('the rate of changes', () => {
  it('refills evenly, up to the amount of a minute', async () => {
    const rate = new ChangeRate({ perMinute: 2 });
    await rate.run('a', done());
    await rate.run('a', done());
    await expect(rate.run('a', done())).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 30 });
    jest.advanceTimersByTime(30_000);
    await expect(rate.run('a', done())).resolves.toBe('done');
    jest.advanceTimersByTime(3_600_000);
    await rate.run('a', done());
    await rate.run('a', done());
    await expect(rate.run('a', done())).rejects.toMatchObject({ retryAfter: 30 });
  });

  it('delays a heavy change by at most a minute beyond the one in which it began', async () => {
    const rate = new ChangeRate({ perMinute: 60 });
    await rate.run('a', done(1_000_000));
    await expect(rate.run('a', done())).rejects.toMatchObject({ retryAfter: 2 });
  });

  it('counts each tenant separately, and a failed change as one', async () => {
    const rate = new ChangeRate({ perMinute: 1 });
    await expect(rate.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(rate.run('a', done())).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(rate.run('b', done())).resolves.toBe('done');
  });

  it('is absent where it is 0', async () => {
    const rate = new ChangeRate({ perMinute: 0 });
    for (let change = 0; change < 100; change++) await expect(rate.run('a', done(1000))).resolves.toBe('done');
  });
});
