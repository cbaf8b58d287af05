import { octetsToText } from './character-string.js';
import { decodeHex, encodeHex } from './encodings.js';
import { RdataError } from './rdata-error.js';
import type { Token } from './token-reader.js';
import { tokenize } from './tokenize.js';

/** What a field asks for. `presentation` is text as zone files have it, whatever it means. */
export type FieldKind =
  | 'number'
  /** A number of which only the `values` are allowed. */
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

/** A value that a field may have, and what it means: `2`, "SHA-256". */
export interface FieldValue {
  readonly value: number | string;
  readonly label: string;
}

/** What programs are told of a field. */
export interface FieldShape {
  readonly kind: FieldKind;
  /** Of a number; of a text, in octets. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** All values of a choice; of other kinds those that are known, beside which there are others. */
  readonly values?: readonly FieldValue[];
  /** A list of such values. */
  readonly repeats?: true;
  /** It may be left out. */
  readonly optional?: true;
}

/**
 * A field as JSON, without the quotes and escapes of zone files. Its value becomes tokens, which the field reads as those of
 * any other text: what it refuses there it refuses here.
 */
export interface JsonForm<T> extends FieldShape {
  /** @throws RdataError for what is not of the kind */
  toTokens(json: unknown, label: string): readonly Token[];
  toJson(value: T): unknown;
}

/** JSON of another type than the field has. */
export class JsonTypeError extends RdataError {}

/** A number from 0 to `maximum`. */
export function numberForm(maximum: number): JsonForm<number> {
  return { kind: 'number', minimum: 0, maximum, toTokens: numberToken, toJson: Number };
}

/** One of the numbers that have a meaning. */
export function choiceForm(values: readonly FieldValue[]): JsonForm<number> {
  return { kind: 'choice', values, toTokens: numberToken, toJson: Number };
}

/** What is one word in text as well, such as an address. */
export function wordForm<T>(kind: FieldKind, print: (value: T) => string): JsonForm<T> {
  return { kind, toTokens: (json, label) => [word(textOf(json, label))], toJson: print };
}

/** Text of so many octets. */
export function textForm(maximum?: number): JsonForm<Uint8Array> {
  return {
    kind: 'text',
    ...(maximum !== undefined && { maximum }),
    toTokens: (json, label) => [quotedToken(textOctets(json, label), label)],
    toJson: jsonOfText,
  };
}

/** One text or more; a text alone stands for a list of one. */
export const textsForm: JsonForm<readonly Uint8Array[]> = {
  kind: 'text',
  repeats: true,
  toTokens: (json, label) => listOf(json, label).map((text) => quotedToken(textOctets(text, label), label)),
  toJson: (value) => value.map(jsonOfText),
};

/** Words, as many as there are. */
export function wordsForm<T>(kind: FieldKind, print: (value: T) => readonly string[]): JsonForm<T> {
  return {
    kind,
    repeats: true,
    toTokens: (json, label) => listOf(json, label).map((text) => word(textOf(text, label))),
    toJson: print,
  };
}

/** Text as zone files have it, for fields that have no other form. */
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

/** @throws RdataError for more than a record has room for */
export function listOf(json: unknown, label: string): readonly unknown[] {
  if (!Array.isArray(json)) return [json];
  if (json.length > MAX_OCTETS) throw tooLong(label);
  return json;
}

/** @throws RdataError */
export function textOf(json: unknown, label: string): string {
  if (typeof json === 'string' && json.isWellFormed()) return json;
  throw new JsonTypeError(`the ${label} must be a string`);
}

/** The octets of a text in UTF-8, or those that are written in hexadecimal because they are no text. */
export function textOctets(json: unknown, label: string): Uint8Array {
  if (typeof json === 'string' && json.isWellFormed() && !json.includes('\0')) return Buffer.from(json);
  const octets = isOctets(json) ? decodeHex(json.hexadecimal) : undefined;
  if (octets !== undefined) return octets;
  throw new JsonTypeError(`the ${label} must be a string, or {"hexadecimal": "…"} where its octets are no text`);
}

/** A string wherever the octets are UTF-8 without NUL. */
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

/** @throws RdataError before much is done for what is too long anyway */
function quotedToken(octets: Uint8Array, label: string): Token {
  if (octets.length > MAX_OCTETS) throw tooLong(label);
  return { text: octetsToText(octets).slice(1, -1), quoted: true };
}

/** Of RDATA (RFC 1035 §3.2.1). */
const MAX_OCTETS = 0xffff;

function tooLong(label: string): RdataError {
  return new RdataError(`the ${label} is too long for a record: shorten it`);
}
