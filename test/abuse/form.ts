/** The long form, by `npm run test:abuse`, attacks with the numbers that were seen to do harm; `npm run test:all` with fewer. */
export const IS_LONG = process.env.ZONEWRIGHT_ABUSE === 'long';

export function inForm<T>(short: T, long: T): T {
  return IS_LONG ? long : short;
}

/** For a whole test, in milliseconds: start, preparation, attack, rest and audit. */
export const TEST_TIMEOUT_MS = inForm(120_000, 1_200_000);
