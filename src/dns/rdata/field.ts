import type { WireReader } from '../message/wire-reader.js';
import type { WireWriter } from '../message/wire-writer.js';
import type { JsonForm } from './json-form.js';
import type { TokenReader } from './token-reader.js';

/**
 * A part of RDATA that can be read from text and from octets. `label` is the name of the field in its type, in words; the
 * messages of errors have it.
 */
export interface Field<T> {
  /** What the text is, in a few words for the documentation: `host name`. */
  readonly form: string;
  /** Reads as many tokens as the value has. Throws an RdataError, or a NameError, which the type turns into one. */
  parse(tokens: TokenReader, label: string): T;
  print(value: T): string;
  /** Reads octets of the right form. Throws an RdataError, or a WireError, which the type turns into one. */
  read(wire: WireReader): T;
  write(value: T, out: WireWriter): void;
  /** Checks what the form alone does not ensure, after `parse` and after `read`; throws an RdataError. */
  check?(value: T, label: string): void;
  /** Returns the value that represents all values equal to it; absent where values are equal only when their octets are. */
  canonicalize?(value: T): T;
  /** Whether every name server reads the text as this value; otherwise zone files have the octets (RFC 3597 §5). */
  isReadEverywhere?(value: T): boolean;
  /**
   * How programs are told of it and write it; without one, as its text.
   * @internal
   */
  readonly json?: JsonForm<T>;
}

/** The fields of a type in the order of the RDATA, by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of such fields. */
export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** The names of the fields whose values are of type `T`. */
export type NamesOf<F extends Fields, T> = {
  [Name in keyof F & string]: F[Name] extends Field<infer V> ? (V extends T ? Name : never) : never;
}[keyof F & string];
