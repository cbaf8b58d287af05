import { latin1 } from './character-string.js';
import type { Field } from './field.js';
import { characterString, remainingText, uint8 } from './fields.js';
import { textForm, textOf, word } from './json-form.js';
import { withMeanings } from './number-fields.js';
import { RdataError, recordType } from './record-type.js';

const MAX_TAG = 15;
/** RFC 8659 §4.1: who does not understand the property issues nothing. */
const FLAGS: ReadonlyMap<number, string> = new Map([
  [0, 'not critical'],
  [128, 'critical'],
]);

/**
 * RFC 8659 §4.1 — the property's name. It is the same in either case, but NSD 4.6 loads it in lower case only, and with no
 * more than the 15 characters of RFC 6844, so it is stored like that.
 */
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
    if (!/^[0-9a-z]{1,15}$/.test(latin1(value))) {
      throw new RdataError(`the ${label} is malformed: give it 1 to 15 lower-case letters and digits`);
    }
  },
};

/** RFC 8659 §4.2 to §4.4: names of issuers and URLs. Any other octet forbids all issuance, because it matches no issuer. */
const ASCII_PROPERTIES: ReadonlySet<string> = new Set(['issue', 'issuewild', 'iodef']);

function isPrintable(octet: number): boolean {
  return octet === 0x09 || (octet >= 0x20 && octet < 0x7f);
}

/** RFC 8659 §4 — who may issue certificates for the domain. */
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
