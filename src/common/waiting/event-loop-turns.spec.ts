import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EventLoopTurns } from './event-loop-turns.js';

function nextImmediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

it('runs each piece once, in the order in which they came, one in each turn', async () => {
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

it('runs what adds itself again behind the others', async () => {
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

it('leaves the event loop to others once a turn has taken as long as it may', async () => {
  const turns = new EventLoopTurns(5);
  const run: string[] = [];
  const busy = (name: string) => (): void => {
    run.push(name);
    const end = performance.now() + 10;
    while (performance.now() < end);
  };
  turns.add(busy('one'));
  turns.add(busy('two'));
  setImmediate(() => run.push('another'));
  await nextImmediate();
  await nextImmediate();
  expect(run).toEqual(['one', 'another', 'two']);
});

it('resolves in turn for those who wait', async () => {
  const turns = new EventLoopTurns();
  const run: string[] = [];
  await Promise.all(['a', 'b', 'c'].map((name) => turns.next().then(() => run.push(name))));
  expect(run).toEqual(['a', 'b', 'c']);
});
