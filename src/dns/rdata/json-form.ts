import { octetsToText } from './character-string.js';
import { decodeHex, encodeHex } from './encodings.js';
import { RdataError } from './rdata-error.js';
import { type Token, tokenize } from './tokens.js';

/** `presentation` is zone file text of any meaning. */
export type FieldKind =
  | 'number'
  /** A number from `values`. */
  | 'choice'
  | 'ipv4'
  | 'ipv6'
  | 'host_name'
  | 'domain_name'
  | 'text'
  | 'hexadecimal'
  | 'base64'
  | 'record_type'
  /** An object with `key` and `value`. */
  | 'parameter'
  | 'presentation';

/** A value with its meaning: `2`, "SHA-256". */
export interface FieldValue {
  readonly value: number | string;
  readonly label: string;
}

export interface FieldShape {
  readonly kind: FieldKind;
  /** For numbers; for texts in octets. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** All values of a choice; known values of other kinds. */
  readonly values?: readonly FieldValue[];
  readonly repeats?: true;
  readonly optional?: true;
}

/** JSON without the quotes and escapes of zone files. It becomes tokens, so the field applies the same rules. */
export interface JsonForm<T> extends FieldShape {
  /** @throws RdataError for a value of another kind */
  toTokens(json: unknown, label: string): readonly Token[];
  toJson(value: T): unknown;
}

export class JsonTypeError extends RdataError {}

export function numberForm(maximum: number): JsonForm<number> {
  return { kind: 'number', minimum: 0, maximum, toTokens: numberToken, toJson: Number };
}

export function choiceForm(values: readonly FieldValue[]): JsonForm<number> {
  return { kind: 'choice', values, toTokens: numberToken, toJson: Number };
}

export function wordForm<T>(kind: FieldKind, print: (value: T) => string): JsonForm<T> {
  return { kind, toTokens: (json, label) => [word(textOf(json, label))], toJson: print };
}

/** @param maximum octets */
export function textForm(maximum?: number): JsonForm<Uint8Array> {
  return {
    kind: 'text',
    ...(maximum !== undefined && { maximum }),
    toTokens: (json, label) => [quotedToken(textOctets(json, label), label)],
    toJson: jsonOfText,
  };
}

/** One or more texts. A single string is a list of one. */
export const textsForm: JsonForm<readonly Uint8Array[]> = {
  kind: 'text',
  repeats: true,
  toTokens: (json, label) => listOf(json, label).map((text) => quotedToken(textOctets(text, label), label)),
  toJson: (value) => value.map(jsonOfText),
};

export function wordsForm<T>(kind: FieldKind, print: (value: T) => readonly string[]): JsonForm<T> {
  return {
    kind,
    repeats: true,
    toTokens: (json, label) => listOf(json, label).map((text) => word(textOf(text, label))),
    toJson: print,
  };
}

/** Zone file text, for fields without another form. */
export function presentationForm<T>(print: (value: T) => string): JsonForm<T> {
  return {
    kind: 'presentation',
    toTokens(json, label) {
      const text = textOf(json, label);
      return text === '' ? [] : tokenize(text);
    },
    toJson: print,
  };
}

/** @throws RdataError for more items than a record can hold */
export function listOf(json: unknown, label: string): readonly unknown[] {
  if (!Array.isArray(json)) return [json];
  if (json.length > MAX_OCTETS) throw tooLong(label);
  return json;
}

export function textOf(json: unknown, label: string): string {
  if (typeof json === 'string' && json.isWellFormed()) return json;
  throw new JsonTypeError(`the ${label} must be a string`);
}

/** Encodes a string in UTF-8, or decodes an object with hexadecimal octets. */
export function textOctets(json: unknown, label: string): Uint8Array {
  if (typeof json === 'string' && json.isWellFormed() && !json.includes('\0')) return Buffer.from(json);
  const octets = isOctets(json) ? decodeHex(json.hexadecimal) : undefined;
  if (octets !== undefined) return octets;
  throw new JsonTypeError(`the ${label} must be a string, or {"hexadecimal": "…"} where its octets are no text`);
}

/** Returns a string if the octets are UTF-8 without NUL. */
export function jsonOfText(octets: Uint8Array): string | { readonly hexadecimal: string } {
  try {
    const text = UTF8.decode(octets);
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8.
  }
  return { hexadecimal: encodeHex(octets) };
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function isOctets(json: unknown): json is { readonly hexadecimal: string } {
  if (typeof json !== 'object' || json === null || Object.keys(json).length !== 1) return false;
  return 'hexadecimal' in json && typeof json.hexadecimal === 'string';
}

function numberToken(json: unknown, label: string): Token[] {
  if (typeof json === 'number' && Number.isInteger(json)) return [word(String(json))];
  throw new JsonTypeError(`the ${label} must be an integer`);
}

export function word(text: string): Token {
  return { text, quoted: false };
}

/** @throws RdataError early for text that is too long */
function quotedToken(octets: Uint8Array, label: string): Token {
  if (octets.length > MAX_OCTETS) throw tooLong(label);
  return { text: octetsToText(octets).slice(1, -1), quoted: true };
}

/** RFC 1035 §3.2.1. */
const MAX_OCTETS = 0xffff;

function tooLong(label: string): RdataError {
  return new RdataError(`the ${label} is too long for a record: shorten it`);
}
