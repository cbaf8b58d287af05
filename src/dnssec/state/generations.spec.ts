import { describe, expect, it } from '@jest/globals';
import { DAY } from '../../common/clock.js';
import { isJobOver, newGeneration } from './generations.js';

const NOW = Date.UTC(2026, 10, 27, 8, 30) * 1000;
const HOUR = DAY / 24;

describe('a generation', () => {
  it('is later than the published one, even of the same minute or of a clock that was ahead', () => {
    for (const published of [0, 2 ** 30, newGeneration(0, NOW), newGeneration(0, NOW + DAY)])
      expect(newGeneration(published, NOW)).toBeGreaterThan(published);
  });

  it('differs from the generations of concurrent jobs', () => {
    const all = new Set(Array.from({ length: 100 }, () => newGeneration(0, NOW)));
    expect(all.size).toBe(100);
  });

  it('is a safe integer for as long as signatures can be dated', () => {
    expect(newGeneration(0, Date.UTC(2096, 0) * 1000)).toBeLessThan(Number.MAX_SAFE_INTEGER);
  });

  it('belongs to a job for a day; a generation of an earlier release belongs to none', () => {
    const generation = newGeneration(0, NOW);
    expect(isJobOver(generation, NOW)).toBe(false);
    expect(isJobOver(generation, NOW + DAY - HOUR)).toBe(false);
    expect(isJobOver(generation, NOW + DAY + HOUR)).toBe(true);
    expect(isJobOver(2 ** 30, NOW)).toBe(true);
  });
});
