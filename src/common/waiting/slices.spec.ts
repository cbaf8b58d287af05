import { describe, expect, it } from '@jest/globals';
import { Slices } from './slices.js';

/** Keeps the processor busy for some milliseconds. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe('slices of work', () => {
  it('ask for no pause before many octets are through, however long that takes', () => {
    const slices = new Slices();
    work(15);
    expect(slices.isOver(10)).toBe(false);
  });

  it('ask for a pause where many octets took longer than a slice', async () => {
    const slices = new Slices();
    work(15);
    expect(slices.isOver(2 ** 20)).toBe(true);
    await slices.pause();
    expect(slices.isOver(2 ** 20)).toBe(false);
  });

  it('count short items too', () => {
    const slices = new Slices();
    work(15);
    const overs = Array.from({ length: 1000 }, () => slices.isOver(1));
    expect(overs).toContain(true);
  });

  it('let others run between them', async () => {
    const slices = new Slices();
    let turns = 0;
    setImmediate(() => (turns += 1));
    await slices.pause();
    expect(turns).toBe(1);
  });
});
