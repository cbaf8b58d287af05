import { type DomainName, NameError } from '../name.js';
import { WireError, WireReader } from '../wire/wire-reader.js';
import { WireWriter } from '../wire/wire-writer.js';
import { type Field, GENERIC_MARK, genericRdata, uint16 } from './fields.js';
import { type Token, TokenReader } from './token-reader.js';
import { tokenize } from './tokenize.js';
import { RdataError } from './rdata-error.js';

export { RdataError, type Token };

const MAX_RDATA = 0xffff;
/** The longest RDATA with every octet as `\DDD` and a little for quotes and blanks; what is longer need not be looked at. */
const MAX_DATA_TEXT = 4 * MAX_RDATA + 4096;

/** What the service knows about one record type. */
export interface RecordType {
  readonly name: string;
  readonly code: number;
  readonly rfc: string;
  /** MX and SRV carry their first number in a field of its own. */
  readonly priority: 'required' | 'none';
  /** For the API documents. */
  readonly example: { readonly name: string; readonly data: string; readonly priority: number | null };

  /** Reads API data strictly, spec/behaviour.md 5, into RDATA. Names in it keep their case. */
  parse(data: string, priority: number | null): Uint8Array;
  /** Reads the items of a master file (RFC 1035 §5.1), `\# length hex` (RFC 3597 §5) included; the priority is the first of them. */
  parseTokens(tokens: readonly Token[], origin: DomainName): Uint8Array;
  /** Canonical API data, which `parse` reads back into the same RDATA. */
  toData(rdata: Uint8Array): { readonly data: string; readonly priority: number | null };
  /** Printable ASCII for master files, absolute names included, that every name server reads alike. */
  toText(rdata: Uint8Array): string;
  /** For comparing: names inside in lower case (RFC 4034 §6.2, RFC 6840 §5.1), everything else as it is; may be the same array. */
  canonicalize(rdata: Uint8Array): Uint8Array;
  /** Refuses octets that `parse` could not have made. */
  check(rdata: Uint8Array): void;
}

/** What a type file says; everything else follows from its fields. */
export interface RecordTypeDefinition<Fields extends readonly Field<unknown>[]> {
  readonly name: string;
  readonly code: number;
  readonly rfc: string;
  readonly priority?: 'required';
  readonly fields: Fields;
  /** What the fields must be together; throws an RdataError. */
  readonly check?: (values: Values<Fields>, priority: number | null) => void;
  /** How API data divides into tokens, where not at single blanks. */
  readonly split?: (data: string) => Token[];
  readonly example: { readonly name: string; readonly data: string; readonly priority?: number };
}

export type Values<Fields extends readonly Field<unknown>[]> = {
  readonly [At in keyof Fields]: Fields[At] extends Field<infer T> ? T : never;
};

export function recordType<const Fields extends readonly Field<unknown>[]>(
  definition: RecordTypeDefinition<Fields>,
): RecordType {
  return new DeclaredType(definition);
}

/** The values of the fields, and the priority where the type has one. */
interface Content {
  readonly priority: number | null;
  readonly values: readonly unknown[];
}

const PRIORITY = uint16('priority');

class DeclaredType<Fields extends readonly Field<unknown>[]> implements RecordType {
  readonly name = this.definition.name;
  readonly code = this.definition.code;
  readonly rfc = this.definition.rfc;
  readonly priority = this.definition.priority ?? 'none';
  readonly example = { priority: null, ...this.definition.example };
  private readonly fields: readonly Field<unknown>[] = this.definition.fields;

  constructor(private readonly definition: RecordTypeDefinition<Fields>) {}

  parse(data: string, priority: number | null): Uint8Array {
    this.assertPriority(priority);
    if (data.length > MAX_DATA_TEXT) throw tooLarge();
    const split = this.definition.split ?? tokenize;
    return asRdataErrors(() => this.readTokens(new TokenReader(split(data)), priority));
  }

  parseTokens(tokens: readonly Token[], origin: DomainName): Uint8Array {
    if (tokens.reduce((sum, { text }) => sum + text.length + 1, 0) > MAX_DATA_TEXT) throw tooLarge();
    return asRdataErrors(() => {
      const reader = new TokenReader(tokens, origin);
      if (tokens[0]?.text === GENERIC_MARK && !tokens[0].quoted) return this.readGeneric(reader);
      return this.readTokens(reader, this.priority === 'required' ? PRIORITY.parse(reader) : null);
    });
  }

  toData(rdata: Uint8Array): { readonly data: string; readonly priority: number | null } {
    const { priority, values } = this.decode(rdata);
    return { data: this.print(values), priority };
  }

  toText(rdata: Uint8Array): string {
    const { priority, values } = this.decode(rdata);
    return priority === null ? this.print(values) : `${priority} ${this.print(values)}`;
  }

  canonicalize(rdata: Uint8Array): Uint8Array {
    if (!this.fields.some((field) => 'canonicalize' in field)) return rdata;
    const { priority, values } = this.decode(rdata);
    return this.encode({
      priority,
      values: this.fields.map((field, at) => (field.canonicalize ? field.canonicalize(values[at]) : values[at])),
    });
  }

  check(rdata: Uint8Array): void {
    if (rdata.length > MAX_RDATA) throw tooLarge();
    asRdataErrors(() => this.assertContent(this.decode(rdata)));
  }

  private readTokens(tokens: TokenReader, priority: number | null): Uint8Array {
    const content = { priority, values: this.fields.map((field) => field.parse(tokens)) };
    tokens.assertAtEnd();
    this.assertContent(content);
    const rdata = this.encode(content);
    if (rdata.length > MAX_RDATA) throw tooLarge();
    return rdata;
  }

  private readGeneric(tokens: TokenReader): Uint8Array {
    const rdata = genericRdata.parse(tokens);
    this.check(rdata);
    return rdata;
  }

  private assertPriority(priority: number | null): void {
    if (this.priority === 'none' && priority !== null) {
      throw new RdataError(`${this.name} records have no priority: leave it out`, 'priority');
    }
    if (this.priority === 'required' && !isUint16(priority)) {
      throw new RdataError(`${this.name} records need a priority from 0 to 65535`, 'priority');
    }
  }

  private assertContent({ priority, values }: Content): void {
    this.fields.forEach((field, at) => field.check?.(values[at]));
    // The values come from these very fields, in their order; the compiler cannot follow a tuple through map().
    this.definition.check?.(values as Values<Fields>, priority);
  }

  private encode({ priority, values }: Content): Uint8Array {
    const out = new WireWriter();
    if (priority !== null) PRIORITY.write(priority, out);
    this.fields.forEach((field, at) => field.write(values[at], out));
    return out.finish();
  }

  private decode(rdata: Uint8Array): Content {
    return asRdataErrors(() => {
      const wire = new WireReader(rdata);
      const priority = this.priority === 'required' ? PRIORITY.read(wire) : null;
      const values = this.fields.map((field) => field.read(wire));
      if (wire.remaining > 0) throw new RdataError(`${this.name} data has ${wire.remaining} octets too many`);
      return { priority, values };
    });
  }

  /** A field may have nothing to say, like the parameters of an SVCB record without any. */
  private print(values: readonly unknown[]): string {
    return this.fields
      .map((field, at) => field.print(values[at]))
      .filter((text) => text !== '')
      .join(' ');
  }
}

function isUint16(value: number | null): boolean {
  return Number.isInteger(value) && value !== null && value >= 0 && value <= 0xffff;
}

function tooLarge(): RdataError {
  return new RdataError(`the data is too long: ${MAX_RDATA} octets fit into one record`);
}

/** Faults of names and octets become faults of the data that holds them. */
function asRdataErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof NameError || error instanceof WireError ? new RdataError(error.message) : error;
  }
}
