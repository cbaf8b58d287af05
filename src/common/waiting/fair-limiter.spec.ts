import { beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { FairLimiter } from './fair-limiter.js';

/** Takes slots for clients and lists started requests: `a1` is the first of client `a`, `a1!` after a timeout. */
class Requests {
  readonly begun: string[] = [];
  private readonly leaving = new Map<string, () => void>();

  constructor(private readonly slots: FairLimiter) {}

  take(...names: string[]): void {
    for (const name of names) {
      const begin = (hasSlot: boolean): void => void this.begun.push(hasSlot ? name : `${name}!`);
      this.leaving.set(name, this.slots.enter(name.slice(0, 1), begin));
    }
  }

  leave(...names: string[]): void {
    for (const name of names) this.leaving.get(name)?.();
  }

  /** Requests started since the last call. */
  since(): string[] {
    return this.begun.splice(0);
  }
}

function requestsWithin(perKey: number, inAll: number, timeLimit = 60_000): Requests {
  return new Requests(new FairLimiter({ perKey, inAll, timeLimit }));
}

describe('slots', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('are granted immediately while available', () => {
    const requests = requestsWithin(2, 3);
    requests.take('a1', 'a2', 'a3', 'b1', 'b2');
    expect(requests.since()).toEqual(['a1', 'a2', 'b1']);
  });

  it('go to the waiting requests of a client in the order in which they came', () => {
    const requests = requestsWithin(1, 10);
    requests.take('a1', 'a2', 'a3', 'a4');
    requests.leave('a1');
    requests.leave('a2');
    expect(requests.since()).toEqual(['a1', 'a2', 'a3']);
  });

  it('go to each client in turn, independent of the backlog of other clients', () => {
    const requests = requestsWithin(2, 2);
    requests.take('a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1');
    requests.leave('a1', 'a2');
    requests.leave('b1', 'c1');
    requests.leave('a3', 'b2');
    expect(requests.since()).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5']);
  });

  it('are free again for a client that waits for itself alone', () => {
    const requests = requestsWithin(1, 2);
    requests.take('a1', 'a2', 'b1', 'b2');
    expect(requests.since()).toEqual(['a1', 'b1']);
    requests.leave('b1');
    expect(requests.since()).toEqual(['b2']);
    requests.leave('a1');
    expect(requests.since()).toEqual(['a2']);
  });

  it('are released once, and not by requests without a slot', () => {
    const requests = requestsWithin(1, 1);
    requests.take('a1', 'a2', 'a3', 'a4');
    requests.leave('a3', 'a3');
    requests.leave('a1', 'a1');
    expect(requests.since()).toEqual(['a1', 'a2']);
    requests.leave('a2');
    expect(requests.since()).toEqual(['a4']);
  });

  it('are as many as at first after everybody has left in any order', () => {
    const requests = requestsWithin(2, 3);
    const names = ['a1', 'b1', 'a2', 'c1', 'a3', 'b2', 'a4', 'c2', 'a5', 'b3'];
    for (let round = 0; round < 3; round += 1) {
      requests.take(...names);
      requests.leave(...names.filter((_, at) => at % 2 === 1));
      requests.leave(...names.filter((_, at) => at % 2 === 0));
      requests.since();
    }
    requests.take('a1', 'a2', 'a3', 'b1', 'b2');
    expect(requests.since()).toEqual(['a1', 'a2', 'b1']);
  });

  it('are refused only to requests that waited too long', async () => {
    const requests = requestsWithin(1, 10, 200);
    requests.take('a1', 'a2', 'a3');
    await delay(300);
    expect(requests.since()).toEqual(['a1', 'a2!', 'a3!']);
    requests.take('a4');
    requests.leave('a2', 'a3');
    expect(requests.since()).toEqual([]);
    requests.leave('a1');
    expect(requests.since()).toEqual(['a4']);
  });

  it('never exceed the limit, and every request gets one in the end', async () => {
    const worker = fc.record({ key: fc.constantFrom('a', 'b', 'c'), turns: fc.nat(3) });
    const property = fc.asyncProperty(
      fc.array(worker, { maxLength: 20 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      async (workers, inAll, perKey) => {
        const limiter = new FairLimiter({ inAll, perKey });
        const underWay = new Map<string, number>();
        const count = (key: string, change: number): number => {
          underWay.set(key, (underWay.get(key) ?? 0) + change);
          return underWay.get(key) ?? 0;
        };
        const work = async ({ key, turns }: { key: string; turns: number }): Promise<void> => {
          expect(count(key, 1)).toBeLessThanOrEqual(perKey);
          expect([...underWay.values()].reduce((sum, one) => sum + one)).toBeLessThanOrEqual(inAll);
          for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
          count(key, -1);
        };
        await Promise.all(workers.map((one) => limiter.run(() => work(one), one.key)));
        expect(limiter.isFull).toBe(false);
      },
    );
    await fc.assert(property, { numRuns: 100 });
  });

  it('come back from work that fails', async () => {
    const limiter = new FairLimiter({ inAll: 1 });
    const failing = limiter.run(() => Promise.reject(new Error('it fails')));
    const next = limiter.run(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('it fails');
    await expect(next).resolves.toBe('done');
  });

  it('are refused to work that has waited for too long', async () => {
    const limiter = new FairLimiter({ inAll: 1, timeLimit: 20 });
    const release = limiter.tryTake();
    await expect(limiter.run(() => Promise.resolve())).rejects.toMatchObject({ code: 'unavailable' });
    release?.();
    await expect(limiter.run(() => Promise.resolve('done'))).resolves.toBe('done');
  });
});
