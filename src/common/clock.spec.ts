import { describe, expect, it } from '@jest/globals';
import { formatInstant, readInstant } from './clock.js';

describe('readInstant', () => {
  it.each([
    ['2026-11-20T08:30:00.123456', '2026-11-20T08:30:00.123456'],
    ['2026-11-20T08:30:00Z', '2026-11-20T08:30:00.000000'],
    ['2026-11-20T08:30:00.5+02:00', '2026-11-20T06:30:00.500000'],
    ['2026-11-20T23:30:00.000001-01:30', '2026-11-21T01:00:00.000001'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000000'],
  ])('reads %s', (text, instant) => {
    expect(formatInstant(readInstant(text)!)).toBe(instant);
  });

  it.each(['', 'now', '1763600000', '2026-11-20', '2026-11-20T08:30', '2026-02-30T00:00:00', '2026-11-20T24:00:00'])(
    'refuses %j',
    (text) => {
      expect(readInstant(text)).toBeNull();
    },
  );

  it.each(['2026-13-01T00:00:00', '2026-11-20T08:30:00.1234567', '2026-11-20T08:30:00+25:00', '2026-11-20 08:30:00'])(
    'refuses %j',
    (text) => {
      expect(readInstant(text)).toBeNull();
    },
  );
});
