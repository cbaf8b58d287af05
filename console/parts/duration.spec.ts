import { describe, expect, it } from '@jest/globals';
import { words } from '../words/index.js';
import { secondsIn, timeIn } from './duration.js';

describe('22.3 durations', () => {
  it.each([
    ['300', 300],
    [' 5m ', 300],
    ['5 min', 300],
    ['1h', 3600],
    ['1H30M', 5400],
    ['1 hour 30 minutes', 5400],
    ['1d', 86_400],
    ['2w', 1_209_600],
    ['0', 0],
  ])('reads %j as %d seconds', (typed, seconds) => {
    expect(secondsIn(typed)).toBe(seconds);
  });

  it.each(['', ' ', 'm', '5x', '-5', '1.5h', '1,000', '5m!', '99999999999', '5 months'])(
    'does not read %j',
    (typed) => {
      expect(secondsIn(typed)).toBeNull();
    },
  );

  it.each([
    [300, '5 min'],
    [3600, '1 h'],
    [5400, '1 h 30 min'],
    [86_400, '1 day'],
    [604_800, '7 days'],
    [77, '1 min 17 s'],
    [0, '0 s'],
    [100_001, '100001 s'],
  ])('shows %d seconds as %j', (seconds, shown) => {
    expect(words.common.duration(seconds)).toBe(shown);
  });

  it('reads what it shows', () => {
    for (const seconds of [1, 59, 60, 3599, 86_399, 86_400, 90_000, 2 ** 31 - 1])
      expect(secondsIn(words.common.duration(seconds))).toBe(seconds);
  });
});

describe('22.3 expiry times', () => {
  const now = new Date('2027-01-31T10:00:00.500Z');

  it('are durations from now, local times, or times as the service reads them', () => {
    expect(timeIn('1d', now)).toBe('2027-02-01T10:00:00Z');
    expect(timeIn('3600', now)).toBe('2027-01-31T11:00:00Z');
    const local = new Date('2027-02-03T04:05');
    expect(timeIn('2027-02-03 04:05', now)).toBe(`${local.toISOString().slice(0, 19)}Z`);
    for (const text of ['2027-02-03T04:05:00Z', '2027-02-03T04:05:00.000000', 'soon', '2027-99-99'])
      expect(timeIn(text, now)).toBe(text);
  });
});
