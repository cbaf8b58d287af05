import { expect, it } from '@jest/globals';
import { renewalShares, signatureTimes } from './zone-signatures.js';

const DAY = 86_400;
const NOW = 1_763_600_000;
const OPTIONS = { validity: 28 * DAY, refresh: 17 * DAY };

it('23.6: sets RRSIG inception to 3 h in the past, and renews it with 17 to 21 days left', () => {
  const lefts = Array.from({ length: 200 }, (_, at) => {
    const { inception, expiration, dueAt } = signatureTimes(NOW, renewalShares(`zone ${at}`)('1 set'), null, OPTIONS);
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

it('23.6: the sets of a zone are renewed at few times, which are those of no other zone', () => {
  const [one, other] = ['zone a', 'zone b'].map((zone) => {
    const shareOf = renewalShares(zone);
    return new Set(Array.from({ length: 2000 }, (_, at) => shareOf(`1 h${at}`)));
  });
  expect([one?.size, other?.size]).toEqual([64, 64]);
  expect([...(one ?? [])].filter((share) => other?.has(share))).toEqual([]);
});

it('23.6: the same set is always renewed at the same place of the spread', () => {
  const [one, other] = [NOW, NOW + 11 * DAY].map((now) =>
    signatureTimes(now, renewalShares('zone a')('1 set'), null, OPTIONS),
  );
  expect((other?.dueAt ?? 0) - (one?.dueAt ?? 0)).toBe(11 * DAY);
});

it('23.6: no signature begins before its predecessor, with any clock', () => {
  expect(signatureTimes(NOW - DAY, 0, NOW, OPTIONS).inception).toBe(NOW);
});
