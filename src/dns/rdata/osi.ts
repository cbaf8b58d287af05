import { quoted } from '../name.js';
import { latin1 } from './character-string.js';
import { decodeHex, encodeHex } from './encodings.js';
import type { Field } from './field.js';
import { characterString, domainName, uint16 } from './fields.js';
import { wordForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { plainType, recordType } from './record-type.js';

/** RFC 1706 §5: `0x` and hexadecimal digits, which dots may group. */
const nsapAddress: Field<Uint8Array> = {
  form: '0x and hexadecimal digits',
  parse(tokens, label) {
    const text = tokens.unquoted(label);
    const octets = /^0[xX]/.test(text) ? decodeHex(text.slice(2).replaceAll('.', '')) : undefined;
    return octets ?? throwMalformed(label, text);
  },
  print: printAddress,
  read: (wire) => wire.rest(),
  write: (value, out) => out.octets(value),
  check(value, label) {
    if (value.length === 0) throw new RdataError(`the ${label} is empty: give it at least one octet`);
  },
  json: wordForm('presentation', printAddress),
};

function printAddress(octets: Uint8Array): string {
  return `0x${encodeHex(octets)}`;
}

function throwMalformed(label: string, text: string): never {
  throw new RdataError(`the ${label} ${quoted(text)} is malformed: write 0x and two digits for each octet`);
}

/** Address of the OSI network service. */
export const NSAP = recordType({
  name: 'NSAP',
  code: 22,
  rfc: 'RFC 1706 §5',
  fields: { nsapAddress },
  example: { name: 'host.example.org.', data: '0x47000580005a0000000001e133ffffff00016100' },
});

/** Maps addresses of X.400 and of the Internet. */
export const PX = recordType({
  name: 'PX',
  code: 26,
  rfc: 'RFC 2163 §4',
  fields: { preference: uint16, map822: domainName, mapX400: domainName },
  example: { name: '*.net2.it.example.org.', data: '10 net2.example.net. prmd-net2.admd-p400.c-it.' },
});

/** RFC 1712 §3: a decimal number in a character string. */
function decimal(limit: number): Field<Uint8Array> {
  return {
    ...characterString,
    form: 'decimal number in quotes',
    check(value, label) {
      const text = latin1(value);
      if (/^[-+]?[0-9]{1,9}(\.[0-9]{1,9})?$/.test(text) && Math.abs(Number(text)) <= limit) return;
      throw new RdataError(
        `the ${label} ${quoted(text)} is not a decimal number: write one from -${limit} to ${limit}`,
      );
    },
  };
}

/** Location in degrees and meters, replaced by LOC. */
export const GPOS = plainType('GPOS', 27, 'RFC 1712 §3', 'host.example.org. "16.8652" "-32.6882" "10.0"', {
  longitude: decimal(180),
  latitude: decimal(90),
  altitude: decimal(999_999_999),
});
