import { latin1 } from './character-string.js';
import type { Field } from './field.js';
import { characterString, remainingText, uint8, withMeanings } from './fields.js';
import { textForm, textOf, word } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { recordType } from './record-type.js';

const MAX_TAG = 15;
/** RFC 8659 §4.1: an issuer that does not understand a critical property must not issue. */
const FLAGS: ReadonlyMap<number, string> = new Map([
  [0, 'not critical'],
  [128, 'critical'],
]);

/** RFC 8659 §4.1. Case has no meaning, but NSD 4.6 loads only lower case, and at most the 15 characters of RFC 6844. */
const tag: Field<Uint8Array> = {
  ...characterString,
  form: '1 to 15 letters and digits',
  parse: (tokens, label) => Buffer.from(tokens.unquoted(label).toLowerCase()),
  print: latin1,
  json: {
    ...textForm(MAX_TAG),
    values: [
      { value: 'issue', label: 'who may issue certificates' },
      { value: 'issuewild', label: 'who may issue wildcard certificates' },
      { value: 'issuemail', label: 'who may issue certificates for e-mail' },
      { value: 'iodef', label: 'where violations are reported' },
    ],
    toTokens: (json, label) => [word(textOf(json, label))],
  },
  check(value, label) {
    if (!/^[0-9a-z]{1,15}$/.test(latin1(value)))
      throw new RdataError(`the ${label} is malformed: give it 1 to 15 lower-case letters and digits`);
  },
};

/** RFC 8659 §4.2 to §4.4. Any other octet forbids all issuance, because it matches no issuer. */
const ASCII_PROPERTIES: ReadonlySet<string> = new Set(['issue', 'issuewild', 'iodef']);

function isPrintable(octet: number): boolean {
  return octet === 0x09 || (octet >= 0x20 && octet < 0x7f);
}

export const CAA = recordType({
  name: 'CAA',
  code: 257,
  rfc: 'RFC 8659 §4',
  fields: { flags: withMeanings(uint8, FLAGS), tag, value: remainingText },
  check({ tag: property, value }) {
    if (!ASCII_PROPERTIES.has(latin1(property)) || value.every(isPrintable)) return;
    const text = Buffer.from(value).toString();
    const quotes = /[\u{201c}-\u{201f}\u{2018}-\u{201b}\u{ab}\u{bb}]/u.test(text)
      ? ': replace typographic quotes by ", or leave them out'
      : ': leave it out';
    throw new RdataError(
      `the value of ${latin1(property)} has a character that is not printable ASCII, and no certificate authority would match it${quotes}`,
      'data',
      'value',
    );
  },
  example: { name: 'example.org.', data: '0 issue "ca.example.org"' },
});
