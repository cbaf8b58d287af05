import { expect, it } from '@jest/globals';
import { signatureTimes } from './zone-signatures.js';

const DAY = 86_400;
const NOW = 1_763_600_000;
const OPTIONS = { validity: 28 * DAY, refresh: 17 * DAY };

it('23.6: sets RRSIG inception to 3 h in the past, and renews it with 17 to 21 days left', () => {
  const lefts = Array.from({ length: 200 }, (_, at) => {
    const { inception, expiration, dueAt } = signatureTimes(NOW, `zone ${at}`, null, OPTIONS);
    expect([inception, expiration]).toEqual([NOW - 3 * 3600, NOW + 28 * DAY]);
    return (expiration - dueAt) / DAY;
  });
  expect(Math.min(...lefts)).toBeGreaterThanOrEqual(17);
  expect(Math.max(...lefts)).toBeLessThanOrEqual(21);
  // Evenly: each of the four days has its share.
  for (const day of [17, 18, 19, 20]) {
    const share = lefts.filter((left) => left >= day && left < day + 1).length;
    expect(share).toBeGreaterThan(25);
  }
});

it('23.6: the same set is always renewed at the same place of the spread', () => {
  const [one, other] = [NOW, NOW + 11 * DAY].map((now) => signatureTimes(now, 'zone a', null, OPTIONS));
  expect((other?.dueAt ?? 0) - (one?.dueAt ?? 0)).toBe(11 * DAY);
});

it('23.6: no signature begins before its predecessor, with any clock', () => {
  expect(signatureTimes(NOW - DAY, 'zone a', NOW, OPTIONS).inception).toBe(NOW);
});
