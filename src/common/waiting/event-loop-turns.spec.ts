import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EventLoopTurns, othersFirst } from './event-loop-turns.js';

/** Blocks the event loop. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function nextImmediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

it('runs each piece once, in order of arrival, one in each turn', async () => {
  const order = fc.array(fc.nat(9), { minLength: 1, maxLength: 30 });
  const property = fc.asyncProperty(order, async (added) => {
    const turns = new EventLoopTurns();
    const run: number[] = [];
    const pieces = Array.from({ length: 10 }, (_, number) => () => void run.push(number));
    for (const number of added) turns.add(pieces[number]!);
    const expected = [...new Set(added)];
    for (let turn = 1; turn <= expected.length; turn += 1) {
      await nextImmediate();
      expect(run).toEqual(expected.slice(0, turn));
    }
  });
  await fc.assert(property, { numRuns: 50 });
});

it('runs a task that adds itself again after the others', async () => {
  const turns = new EventLoopTurns(1000);
  const run: string[] = [];
  const first = (): void => {
    run.push('first');
    if (run.length < 5) turns.add(first);
  };
  turns.add(first);
  turns.add(() => run.push('second'));
  await nextImmediate();
  expect(run).toEqual(['first', 'second', 'first', 'first', 'first']);
});

it('yields the event loop at the time limit of a turn', async () => {
  const turns = new EventLoopTurns(5);
  const run: string[] = [];
  const busy = (name: string) => (): void => {
    run.push(name);
    work(10);
  };
  turns.add(busy('one'));
  turns.add(busy('two'));
  setImmediate(() => run.push('another'));
  await nextImmediate();
  await nextImmediate();
  expect(run).toEqual(['one', 'another', 'two']);
});

it('resolves waiters in order', async () => {
  const turns = new EventLoopTurns();
  const run: string[] = [];
  await Promise.all(['a', 'b', 'c'].map((name) => turns.next().then(() => run.push(name))));
  expect(run).toEqual(['a', 'b', 'c']);
});

it('yields to other work while they have any', async () => {
  let left = 20;
  const other = (): void => {
    work(1);
    left -= 1;
    if (left > 0) setImmediate(other);
  };
  setImmediate(other);
  await othersFirst(60_000);
  expect(left).toBe(0);
});

it('waits for other work up to its limit', async () => {
  let isOver = false;
  const other = (): void => {
    work(1);
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  const begun = performance.now();
  await othersFirst(50);
  isOver = true;
  expect(performance.now() - begun).toBeGreaterThanOrEqual(50);
});
