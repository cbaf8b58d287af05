import fc from 'fast-check';

/** `npm run test:long` searches for rare faults; other runs have enough cases to cover a rule. */
export const IS_LONG = process.env.ZONEWRIGHT_TESTS_LONG === 'true';

/** How many times a race is run or a property is tried. */
export function times(usually: number, atLength: number): number {
  return IS_LONG ? atLength : usually;
}

export interface Extent {
  readonly numRuns: number;
  readonly endOnFailure?: boolean;
}

/** In milliseconds. */
const LONGEST = times(10_000, 60_000);

/**
 * Checks a property for a number of values. A slow machine checks fewer, and a started case is always finished: the
 * limits of fast-check would leave it running during the next test.
 */
export async function holdsFor<T>(
  values: fc.Arbitrary<T>,
  judge: (value: T) => Promise<void>,
  extent: Extent,
): Promise<void> {
  const end = performance.now() + LONGEST;
  const judgeInTime = async (value: T): Promise<void> => {
    if (performance.now() < end) await judge(value);
  };
  await fc.assert(fc.asyncProperty(values, judgeInTime), extent);
}
