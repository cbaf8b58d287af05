import type { WireReader, WireWriter } from '../message/wire.js';
import type { JsonForm } from './json-form.js';
import type { TokenReader } from './tokens.js';

/** A part of RDATA with a text form and a wire form. Errors call it by `label`. */
export interface Field<T> {
  /** Form of the text for the documentation: `host name`. */
  readonly form: string;
  /** Reads all tokens of the value. Throws RdataError, or NameError, which the type converts. */
  parse(tokens: TokenReader, label: string): T;
  print(value: T): string;
  /** Reads the octets of the value. Throws RdataError, or WireError, which the type converts. */
  read(wire: WireReader): T;
  write(value: T, out: WireWriter): void;
  /** Checks the value after `parse` and `read`; throws RdataError. */
  check?(value: T, label: string): void;
  /** Returns one representative of all equal values. If absent, only equal octets are equal. */
  canonicalize?(value: T): T;
  /** Whether all name servers read the text as this value. Otherwise zone files have the octets (RFC 3597 §5). */
  isReadEverywhere?(value: T): boolean;
  /** JSON form; by default its text. @internal */
  readonly json?: JsonForm<T>;
}

/** The fields of a type by name, in the order of the RDATA. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of such fields. */
export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

/** The names of the fields whose values are of type `T`. */
export type NamesOf<F extends Fields, T> = {
  [Name in keyof F & string]: F[Name] extends Field<infer V> ? (V extends T ? Name : never) : never;
}[keyof F & string];
