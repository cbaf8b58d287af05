import { quoted } from '../name.js';
import { RdataError } from './rdata-error.js';
import type { TokenReader } from './token-reader.js';

/**
 * Reads a decimal number from 0 to `max`. API data has one spelling for each; master files may have leading zeros.
 * @throws RdataError
 */
export function parseDecimal(tokens: TokenReader, label: string, max: number): number {
  const text = tokens.unquoted(label);
  const form = tokens.origin ? /^[0-9]{1,10}$/ : /^(0|[1-9][0-9]{0,9})$/;
  const value = form.test(text) ? Number(text) : Infinity;
  if (value > max)
    throw new RdataError(`the ${label} ${quoted(text)} is not a plain number: write one from 0 to ${max}`);
  return value;
}
