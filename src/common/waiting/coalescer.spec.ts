import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Coalescer } from './coalescer.js';

function nextImmediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

it('batches calls of one turn, and later calls next', async () => {
  const batches: number[][] = [];
  let end = (): void => undefined;
  const coalescer = new Coalescer<number>((batch) => {
    batches.push([...batch]);
    return new Promise((resolve) => (end = resolve));
  });
  for (const item of [1, 2, 3]) coalescer.add(item);
  await nextImmediate();
  for (const item of [4, 5]) coalescer.add(item);
  await nextImmediate();
  expect(batches).toEqual([[1, 2, 3]]);
  expect(coalescer.waitingCount).toBe(2);
  end();
  await nextImmediate();
  await nextImmediate();
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  end();
  await coalescer.drained();
});

it('leaves removed calls to the caller', async () => {
  const batches: (readonly string[])[] = [];
  const coalescer = new Coalescer<string>(async (batch) => void batches.push(batch));
  coalescer.add('a');
  expect(coalescer.takeAll()).toEqual(['a']);
  await coalescer.drained();
  expect(batches).toEqual([]);
});

it('runs each once, in order, within the limits of batch size and concurrency', async () => {
  const step = fc.record({ items: fc.nat(5), turns: fc.nat(3) });
  const bounds = fc.record({ atOnce: fc.integer({ min: 1, max: 3 }), most: fc.integer({ min: 1, max: 4 }) });
  const property = fc.asyncProperty(fc.array(step, { maxLength: 10 }), bounds, async (steps, { atOnce, most }) => {
    const done: number[] = [];
    let [added, underWay] = [0, 0];
    const run = async (batch: readonly number[]): Promise<void> => {
      underWay += 1;
      expect(underWay).toBeLessThanOrEqual(atOnce);
      expect(batch.length).toBeLessThanOrEqual(most);
      done.push(...batch);
      await nextImmediate();
      underWay -= 1;
    };
    const coalescer = new Coalescer<number>(run, { atOnce, take: (waiting) => waiting.splice(0, most) });
    for (const { items, turns } of steps) {
      for (let item = 0; item < items; item += 1) coalescer.add((added += 1));
      for (let turn = 0; turn < turns; turn += 1) await nextImmediate();
    }
    await coalescer.drained();
    expect(done).toEqual(Array.from({ length: added }, (_, at) => at + 1));
  });
  await fc.assert(property, { numRuns: 50 });
});
