import { beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Places } from './places.js';

/** Long enough for what has waited too long to be found. */
const A_WHILE = 600;

/** Takes places for clients, and says who has begun: `a1` is the first of client `a`, `a1!` where it waited too long. */
class Requests {
  readonly begun: string[] = [];
  private readonly leaving = new Map<string, () => void>();

  constructor(private readonly places: Places) {}

  take(...names: string[]): void {
    for (const name of names) {
      const begin = (hasPlace: boolean): void => void this.begun.push(hasPlace ? name : `${name}!`);
      this.leaving.set(name, this.places.take(name.slice(0, 1), begin));
    }
  }

  leave(...names: string[]): void {
    for (const name of names) this.leaving.get(name)?.();
  }

  /** Those that have begun since the last time. */
  since(): string[] {
    return this.begun.splice(0);
  }
}

function requestsWithin(perClient: number, inAll: number, patience = 60_000): Requests {
  return new Requests(new Places({ perClient, inAll, patience }));
}

describe('places', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('are given at once while there are some', () => {
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

  it('go to each client in turn, however many requests another one has', () => {
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

  it('are given back once, and not by those who never had one', () => {
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

  it('are refused to those who have waited for too long, and to nobody else', async () => {
    const requests = requestsWithin(1, 10, 200);
    requests.take('a1', 'a2', 'a3');
    await delay(A_WHILE);
    expect(requests.since()).toEqual(['a1', 'a2!', 'a3!']);
    requests.take('a4');
    requests.leave('a2', 'a3');
    expect(requests.since()).toEqual([]);
    requests.leave('a1');
    expect(requests.since()).toEqual(['a4']);
  });
});
