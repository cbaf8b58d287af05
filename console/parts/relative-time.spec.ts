import { describe, expect, it } from '@jest/globals';
import { relativeTime } from './relative-time.js';

const NOW = new Date('2026-11-28T12:00:00Z');

describe('22.5 relative times', () => {
  it.each([
    ['2026-11-28T11:59:40Z', 'just now'],
    ['2026-11-28T12:00:05Z', 'just now'],
    ['2026-11-28T12:00:40Z', 'in 1 min'],
    ['2026-11-28T11:56:00Z', '4 min ago'],
    ['2026-11-28T09:00:01Z', '2 h ago'],
    ['2026-11-27T12:00:00Z', '1 day ago'],
    ['2026-12-05T13:00:00Z', 'in 7 days'],
    ['2026-10-29T12:00:00Z', null],
  ])('tells %s as %s', (instant, expected) => {
    expect(relativeTime(new Date(instant), NOW)).toBe(expected);
  });
});
