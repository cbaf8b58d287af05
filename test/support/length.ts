import fc from 'fast-check';

/** Rare faults are looked for by `npm run test:long`; the other runs have as many cases as show that a rule holds. */
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
 * Holds a property for so many values. A slow machine looks at fewer of them, and a case that has begun is waited for:
 * fast-check's own limits would leave it under way beside the next test.
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
