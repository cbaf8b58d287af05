import { type Field, uint32 } from './fields.js';

const SECONDS: Readonly<Record<string, number>> = { W: 604_800, D: 86_400, H: 3_600, M: 60, S: 1 };

/** Seconds in 32 bits; master files may write them in units, like 1h30m. */
export function period(label: string): Field<number> {
  const seconds = uint32(label);
  return {
    ...seconds,
    parse(tokens) {
      const written = tokens.origin ? periodInSeconds(tokens.peek()?.text ?? '') : undefined;
      if (written === undefined) return seconds.parse(tokens);
      tokens.skip();
      return written;
    },
  };
}

/** BIND's `1w2d3h4m5s`, which all name servers read; undefined for anything else, plain numbers included. */
export function periodInSeconds(text: string): number | undefined {
  if (text.length > 50 || !/^(?:[0-9]{1,10}[WDHMS])+$/i.test(text)) return undefined;
  const parts = text.toUpperCase().match(/[0-9]+[WDHMS]/g) ?? [];
  const seconds = parts.reduce((sum, part) => sum + parseInt(part, 10) * (SECONDS[part.slice(-1)] ?? 0), 0);
  return seconds <= 0xffffffff ? seconds : undefined;
}
