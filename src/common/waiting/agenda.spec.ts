import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Agenda, type Due } from './agenda.js';

/** Writes down when it was called. */
class Entry implements Due {
  dueAt = Infinity;
  heapIndex = -1;
  actedAt: number | null = null;

  constructor(
    private readonly order: Entry[],
    private readonly then: () => void = () => undefined,
  ) {}

  act(): void {
    this.actedAt = performance.now();
    this.order.push(this);
    this.then();
  }
}

let agenda: Agenda;
let order: Entry[];

beforeEach(() => {
  agenda = new Agenda();
  order = [];
});
afterEach(() => agenda.end());

it('calls each once at its time, in the order of their times', async () => {
  const entries = [60, 20, 40, 20].map(() => new Entry(order));
  const begun = performance.now();
  for (const [at, entry] of entries.entries()) agenda.set(entry, begun + [60, 20, 40, 20][at]!);
  await delay(120);
  expect(order).toHaveLength(4);
  expect(order.slice(2)).toEqual([entries[2], entries[0]]);
  for (const { dueAt, actedAt } of entries) expect(actedAt! - dueAt).toBeGreaterThan(-1.1);
});

it('drops postponed and removed entries, and returns due ones immediately', async () => {
  const [taken, postponed, past] = [new Entry(order), new Entry(order), new Entry(order)];
  const now = performance.now();
  agenda.set(taken, now + 10);
  agenda.set(postponed, now + 10);
  agenda.set(past, now - 1000);
  agenda.set(taken, Infinity);
  agenda.set(postponed, now + 60_000);
  await delay(50);
  expect(order).toEqual([past]);
});

it('lets a returned entry be added again, and others with it', async () => {
  const other = new Entry(order);
  let left = 3;
  const again: Entry = new Entry(order, () => {
    left -= 1;
    if (left > 0) agenda.set(again, performance.now() + 2);
    else agenda.set(other, performance.now());
  });
  agenda.set(again, performance.now());
  await delay(60);
  expect(order).toEqual([again, again, again, other]);
});

it('stays in order after any additions, changes and removals', async () => {
  const step = fc.tuple(fc.nat(20), fc.oneof(fc.integer({ min: -1000, max: -1 }), fc.constant(Infinity)));
  const property = fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
    const called: Entry[] = [];
    const entries = Array.from({ length: 21 }, () => new Entry(called));
    const all = new Agenda();
    const now = performance.now();
    for (const [at, dueIn] of steps) all.set(entries[at]!, now + dueIn);
    const expected = entries.filter(({ dueAt }) => dueAt < Infinity);
    await delay(2);
    all.end();
    expect(called.map(({ dueAt }) => dueAt)).toEqual(expected.map(({ dueAt }) => dueAt).sort((a, b) => a - b));
    expect(new Set(called)).toEqual(new Set(expected));
  });
  await fc.assert(property, { numRuns: 200 });
});
