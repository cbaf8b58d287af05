import type { Field } from './field.js';
import { uint32 } from './fields.js';

const SECONDS: Readonly<Record<string, number>> = { W: 604_800, D: 86_400, H: 3_600, M: 60, S: 1 };

/** A number of seconds in 32 bits, which master files may write in units, like 1h30m. */
export const period: Field<number> = {
  ...uint32,
  form: 'number of seconds',
  parse(tokens, label) {
    const seconds = tokens.origin ? periodInSeconds(tokens.peek()?.text ?? '') : undefined;
    if (seconds === undefined) return uint32.parse(tokens, label);
    tokens.skip();
    return seconds;
  },
};

/** The seconds of a text like BIND's `1w2d3h4m5s`; undefined for any other text, plain numbers included, and above 32 bits. */
export function periodInSeconds(text: string): number | undefined {
  if (text.length > 50 || !/^(?:[0-9]{1,10}[WDHMS])+$/i.test(text)) return undefined;
  const parts = text.toUpperCase().match(/[0-9]+[WDHMS]/g) ?? [];
  const seconds = parts.reduce((sum, part) => sum + parseInt(part, 10) * (SECONDS[part.slice(-1)] ?? 0), 0);
  return seconds <= 0xffffffff ? seconds : undefined;
}
