const DIGITS = /^\d{1,16}$/;

/** @throws Error that names the option */
export function parseNumber(option: string, text: string, min: number, max: number): number {
  const number = DIGITS.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw new Error(`${option} ${JSON.stringify(text)}: write a number from ${min} to ${max}`);
}
