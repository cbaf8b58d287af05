import { quoted } from '../name.js';
import { encodeHex } from './encodings.js';
import type { Field } from './field.js';
import { RdataError } from './rdata-error.js';

/**
 * An address of so many octets, each of them two hexadecimal digits, joined by hyphens (RFC 7043 §3.2, §4.2). Colons or
 * single digits, which no or not all name servers load, are refused.
 */
export function extendedUniqueIdentifier(length: number): Field<Uint8Array> {
  const form = new RegExp(`^[0-9a-f]{2}(-[0-9a-f]{2}){${length - 1}}$`, 'i');
  return {
    form: `${length} octets in hexadecimal, joined by hyphens`,
    parse(tokens, label) {
      const text = tokens.unquoted(label);
      if (form.test(text)) return Buffer.from(text.replaceAll('-', ''), 'hex');
      throw new RdataError(
        `the ${label} ${quoted(text)} is not ${length} octets: write two hexadecimal digits for each, with "-" between`,
      );
    },
    print: (value) => encodeHex(value).replace(/..(?=.)/g, '$&-'),
    read: (wire) => wire.octets(length),
    write: (value, out) => out.octets(value),
  };
}
