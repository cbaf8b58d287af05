import { parseDecimal } from './decimal.js';
import type { Field } from './field.js';
import { choiceForm, type FieldValue, numberForm } from './json-form.js';
import { RdataError } from './rdata-error.js';

export const uint8: Field<number> = {
  form: 'number 0–255',
  parse: (tokens, label) => parseDecimal(tokens, label, 0xff),
  print: String,
  read: (wire) => wire.uint8(),
  write: (value, out) => out.uint8(value),
  json: numberForm(0xff),
};

/**
 * A number of one octet, of which only those listed have a meaning.
 * @param meanings the numbers, with what they mean where programs shall be told
 */
export function uint8In(meanings: readonly number[] | ReadonlyMap<number, string>): Field<number> {
  const labels = 'length' in meanings ? new Map(meanings.map((value) => [value, String(value)])) : meanings;
  const numbers = [...labels.keys()];
  return {
    ...uint8,
    form: numbers.join(', '),
    check(value, label) {
      if (labels.has(value)) return;
      throw new RdataError(`${label} ${value} has no meaning: use one of ${numbers.join(', ')}`);
    },
    json: choiceForm(meaningsOf(labels)),
  };
}

export const uint16: Field<number> = {
  form: 'number 0–65535',
  parse: (tokens, label) => parseDecimal(tokens, label, 0xffff),
  print: String,
  read: (wire) => wire.uint16(),
  write: (value, out) => out.uint16(value),
  json: numberForm(0xffff),
};

export const uint32: Field<number> = {
  form: 'number 0–4294967295',
  parse: (tokens, label) => parseDecimal(tokens, label, 0xffffffff),
  print: String,
  read: (wire) => wire.uint32(),
  write: (value, out) => out.uint32(value),
  json: numberForm(0xffffffff),
};

/** A number that may be written as a mnemonic. It is printed as a number. */
export function withMnemonics(field: Field<number>, mnemonics: ReadonlyMap<string, number>): Field<number> {
  const meanings = new Map([...mnemonics].map(([mnemonic, value]) => [value, mnemonic]));
  return {
    ...withMeanings(field, meanings),
    form: `${field.form}, or a mnemonic`,
    parse(tokens, label) {
      const token = tokens.peek();
      const value = token?.quoted === false ? mnemonics.get(token.text) : undefined;
      if (value === undefined) return field.parse(tokens, label);
      tokens.skip();
      return value;
    },
  };
}

/** The same field, of whose values programs are told what some mean. */
export function withMeanings(field: Field<number>, meanings: ReadonlyMap<number, string>): Field<number> {
  return field.json === undefined ? field : { ...field, json: { ...field.json, values: meaningsOf(meanings) } };
}

function meaningsOf(meanings: ReadonlyMap<number, string>): FieldValue[] {
  return [...meanings].map(([value, label]) => ({ value, label }));
}
