import { parseDecimal } from './tokens.js';
import { decodeHex, encodeHex } from './encodings.js';
import type { Field } from './field.js';
import { textOf, word } from './json-form.js';
import { RdataError } from './rdata-error.js';

export const GENERIC_MARK = '\\#';

/** RDATA of any type (RFC 3597 §5): `\#`, the number of octets, and the octets in hexadecimal. */
export const genericRdata: Field<Uint8Array> = {
  form: `${GENERIC_MARK}, number of octets, hexadecimal`,
  parse(tokens) {
    if (tokens.unquoted('data') !== GENERIC_MARK) {
      throw new RdataError(
        `the data is not generic: write ${GENERIC_MARK}, the number of octets, and the octets in hexadecimal`,
      );
    }
    const length = parseDecimal(tokens, 'number of octets', 0xffff);
    const text = tokens.isAtEnd ? '' : tokens.allUnquoted('octets').join('');
    const octets = decodeHex(text);
    if (!octets) throw new RdataError('the octets are not hexadecimal: write two digits for each octet');
    if (octets.length !== length) {
      throw new RdataError(
        `${GENERIC_MARK} announces ${length} octets, and ${octets.length} follow: correct the number`,
      );
    }
    return octets;
  },
  print: (value) => `${GENERIC_MARK} ${value.length} ${encodeHex(value)}`.trimEnd(),
  read: (wire) => wire.rest(),
  write: (value, out) => out.octets(value),
  json: {
    kind: 'hexadecimal',
    optional: true,
    toTokens(json, label) {
      const digits = textOf(json, label);
      const octets = decodeHex(digits);
      if (!octets) throw new RdataError('the octets are not hexadecimal: write two digits for each octet');
      return [word(GENERIC_MARK), word(String(octets.length)), ...(digits === '' ? [] : [word(digits)])];
    },
    toJson: encodeHex,
  },
};

export function isGenericText(data: string): boolean {
  return data === GENERIC_MARK || data.startsWith(`${GENERIC_MARK} `);
}
