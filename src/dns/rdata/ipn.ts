import { quoted } from '../name.js';
import type { Field } from './field.js';
import { wordForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { plainType } from './record-type.js';

const uint64: Field<bigint> = {
  form: 'number 0–18446744073709551615',
  parse(tokens, label) {
    const text = tokens.unquoted(label);
    const value = /^(0|[1-9][0-9]{0,19})$/.test(text) ? BigInt(text) : -1n;
    if (value >= 0n && value < 1n << 64n) return value;
    throw new RdataError(
      `the ${label} ${quoted(text)} is not a plain number: write one from 0 to 18446744073709551615`,
    );
  },
  print: String,
  read: (wire) => (BigInt(wire.uint32()) << 32n) | BigInt(wire.uint32()),
  write: (value, out) => out.uint32(Number(value >> 32n)).uint32(Number(value & 0xffffffffn)),
  json: wordForm('presentation', (value: bigint) => String(value)),
};

/** Number of a Bundle Protocol node. */
export const IPN = plainType('IPN', 264, 'IANA IPN/ipn-completed-template', 'node.example.org. 977000', {
  nodeNumber: uint64,
});
