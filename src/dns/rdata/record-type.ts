import { type DomainName, NameError } from '../name.js';
import type { OwnerRule } from '../owner-name.js';
import { WireError, WireReader, WireWriter } from '../message/wire.js';
import { type DataInFields, DeclaredFields, type Part } from './data-in-fields.js';
import type { Field, Fields, NamesOf, Values } from './field.js';
import { GENERIC_MARK, genericRdata, isGenericText } from './generic-rdata.js';
import type { Placement, ZoneRole } from './placement.js';
import { RdataError } from './rdata-error.js';
import { type Token, TokenReader, tokenize } from './tokens.js';

const MAX_RDATA = 0xffff;
/** Characters: longest RDATA in `\DDD` escapes, with quotes and blanks. */
const MAX_DATA_TEXT = 4 * MAX_RDATA + 4096;

/** A record type. `V` has the values of its fields by name. */
export interface RecordType<V = unknown> {
  readonly name: string;
  readonly code: number;
  /** Where the type is defined: `RFC 1035 §3.3.9`. */
  readonly rfc: string;
  /** Whether API data has a `priority` in addition to `data`, as for MX and SRV. */
  readonly priority: 'required' | 'none';
  /** The fields of `data`, in their order. */
  readonly dataFields: readonly DataField[];
  readonly example: { readonly name: string; readonly data: string; readonly priority: number | null };
  /** Rule for owner names in addition to the rules for all types. */
  readonly owner: OwnerRule | null;
  /** Whether owner names must be host names; other types allow any name (RFC 2181 §11). */
  readonly hasHostOwner?: boolean;
  /** Whether records are stored, but no name server gets them. */
  readonly isUnserved?: boolean;
  readonly placement: Placement<Uint8Array>;
  readonly role: ZoneRole | null;
  /** JSON form of the data; all types of `recordType` have it. @internal */
  readonly inFields?: DataInFields;

  /**
   * Reads API data strictly (behaviour 5), or `\# length hex` (RFC 3597 §5). Returns RDATA with names in their original case.
   * @throws RdataError
   */
  parse(data: string, priority: number | null): Uint8Array;
  /**
   * Reads the data of a record in a master file (RFC 1035 §5.1), or `\# length hex` (RFC 3597 §5). Returns RDATA.
   * @param origin completes relative names
   * @throws RdataError
   */
  parseTokens(tokens: readonly Token[], origin: DomainName): Uint8Array;
  /** Formats API data in normal form. `parse` returns the same RDATA for it. */
  toData(rdata: Uint8Array): { readonly data: string; readonly priority: number | null };
  /** Formats data for a master file, in a form that all name servers read alike: printable ASCII, absolute names. */
  toText(rdata: Uint8Array): string;
  /** Returns the values of all fields, including `priority`. */
  values(rdata: Uint8Array): V;
  /** Returns the names that should have an address: those of name servers, mail exchangers and services. */
  targets(rdata: Uint8Array): readonly DomainName[];
  /** Returns RDATA with names in lower case (RFC 4034 §6.2, RFC 6840 §5.1). May return the same array. */
  canonicalize(rdata: Uint8Array): Uint8Array;
  /** @throws RdataError for octets that `parse` never returns */
  check(rdata: Uint8Array): void;
}

/** A field of `data`, for the documentation. */
export interface DataField {
  readonly label: string;
  readonly form: string;
}

/** The declaration of a type for `recordType`. */
export interface RecordTypeDefinition<F extends Fields> {
  readonly name: string;
  readonly code: number;
  readonly rfc: string;
  /** In the order of the RDATA. Messages use the names in words: `keyTag` is the "key tag". */
  readonly fields: F;
  /** The `uint16` field that API data has in `priority` instead of `data`. */
  readonly priority?: NamesOf<F, number>;
  /** Checks the fields together; throws RdataError. */
  readonly check?: (values: Values<F>) => void;
  /** Splits API data into tokens; by default `tokenize`. */
  readonly tokenize?: (data: string) => Token[];
  /** Whether API data refuses `\# length hex`, as the reference data does for A and AAAA (behaviour 5.8). */
  readonly isPlainInApi?: true;
  readonly owner?: OwnerRule;
  readonly hasHostOwner?: true;
  readonly isUnserved?: true;
  readonly placement?: Placement<Values<F>>;
  /** Fields with host names that should have an address; `.` is no host. */
  readonly targets?: readonly NamesOf<F, DomainName>[];
  readonly role?: ZoneRole;
  readonly example: { readonly name: string; readonly data: string; readonly priority?: number };
}

/** Creates a record type that reads, writes and compares data by its fields. */
export function recordType<F extends Fields>(definition: RecordTypeDefinition<F>): RecordType<Values<F>> {
  return new DeclaredType(definition);
}

/** Creates a record type without rules beyond those of its fields. @param example owner name and data */
export function plainType<F extends Fields>(
  name: string,
  code: number,
  rfc: string,
  example: string,
  fields: F,
): RecordType<Values<F>> {
  const at = example.indexOf(' ');
  return recordType({ name, code, rfc, fields, example: { name: example.slice(0, at), data: example.slice(at + 1) } });
}

class DeclaredType<F extends Fields> implements RecordType<Values<F>> {
  readonly name = this.definition.name;
  readonly code = this.definition.code;
  readonly rfc = this.definition.rfc;
  readonly example = { priority: null, ...this.definition.example };
  readonly owner = this.definition.owner ?? null;
  readonly hasHostOwner = this.definition.hasHostOwner ?? false;
  readonly isUnserved = this.definition.isUnserved ?? false;
  readonly role = this.definition.role ?? null;
  readonly placement = this.placementOfRdata();
  private readonly parts: readonly Part[] = Object.entries(this.definition.fields).map(partOf);
  private readonly priorityName: string | undefined = this.definition.priority;
  private readonly priorityAt = this.parts.findIndex(({ name }) => name === this.priorityName);
  readonly priority = this.priorityName === undefined ? 'none' : 'required';
  private readonly tokenize = this.definition.tokenize ?? tokenize;
  private readonly isCanonical = this.parts.every(({ field }) => field.canonicalize === undefined);
  readonly dataFields: readonly DataField[] = this.parts.filter((_, at) => at !== this.priorityAt);
  readonly inFields: DataInFields = new DeclaredFields(this.name, this.parts, this.priorityAt, {
    assertPriority: (priority) => this.assertPriority(priority),
    finish: (values) => this.finish(values),
    decode: (rdata) => this.decode(rdata),
  });

  constructor(private readonly definition: RecordTypeDefinition<F>) {}

  parse(data: string, priority: number | null): Uint8Array {
    if (data.length > MAX_DATA_TEXT) throw tooLongError();
    if (this.definition.isPlainInApi !== true && isGenericText(data)) return this.parseGeneric(data, priority);
    this.assertPriority(priority);
    return asRdataErrors(() => this.readTokens(new TokenReader(this.tokenize(data)), priority));
  }

  parseTokens(tokens: readonly Token[], origin: DomainName): Uint8Array {
    if (tokens.reduce((sum, { text }) => sum + text.length + 1, 0) > MAX_DATA_TEXT) throw tooLongError();
    return asRdataErrors(() => {
      const reader = new TokenReader(tokens, origin);
      if (tokens[0]?.text === GENERIC_MARK && !tokens[0].quoted) return this.readGeneric(reader);
      return this.readTokens(reader, null);
    });
  }

  toData(rdata: Uint8Array): { readonly data: string; readonly priority: number | null } {
    const values = this.decode(rdata);
    // The definition allows only number fields as priority.
    return {
      data: this.print(values, this.priorityAt),
      priority: (values[this.priorityAt] as number | undefined) ?? null,
    };
  }

  toText(rdata: Uint8Array): string {
    const values = this.decode(rdata);
    const isReadEverywhere = this.parts.every(({ field }, at) => field.isReadEverywhere?.(values[at]) !== false);
    return isReadEverywhere ? this.print(values) : genericRdata.print(rdata);
  }

  values(rdata: Uint8Array): Values<F> {
    return this.named(this.decode(rdata));
  }

  targets(rdata: Uint8Array): readonly DomainName[] {
    const { targets = [] } = this.definition;
    if (targets.length === 0) return [];
    const values = this.values(rdata);
    // The definition allows only name fields as targets.
    return targets.map((name) => values[name] as DomainName).filter((target) => target.labelCount > 0);
  }

  canonicalize(rdata: Uint8Array): Uint8Array {
    if (this.isCanonical) return rdata;
    const values = this.decode(rdata);
    return this.encode(
      this.parts.map(({ field }, at) => (field.canonicalize ? field.canonicalize(values[at]) : values[at])),
    );
  }

  check(rdata: Uint8Array): void {
    if (rdata.length > MAX_RDATA) throw tooLongError();
    asRdataErrors(() => {
      this.assertValues(this.decode(rdata));
    });
  }

  private readTokens(tokens: TokenReader, priority: number | null): Uint8Array {
    const values = this.parts.map(({ field, label }, at) =>
      at === this.priorityAt && priority !== null ? priority : field.parse(tokens, label),
    );
    tokens.assertAtEnd();
    return this.finish(values);
  }

  private finish(values: readonly unknown[]): Uint8Array {
    this.assertValues(values);
    const rdata = this.encode(values);
    if (rdata.length > MAX_RDATA) throw tooLongError();
    return rdata;
  }

  /** The octets include the priority, so it is optional in the request. */
  private parseGeneric(data: string, priority: number | null): Uint8Array {
    const rdata = asRdataErrors(() => this.readGeneric(new TokenReader(tokenize(data))));
    const own = this.toData(rdata).priority;
    if (priority === null || priority === own) return rdata;
    if (own === null) this.assertPriority(priority);
    throw new RdataError(`the octets of the data have ${own ?? 'none'}: send that, or no priority`, 'priority');
  }

  private readGeneric(tokens: TokenReader): Uint8Array {
    const rdata = genericRdata.parse(tokens, 'data');
    this.check(rdata);
    return rdata;
  }

  private assertPriority(priority: number | null): void {
    if (this.priority === 'none' && priority !== null)
      throw new RdataError(`${this.name} records have no priority: leave it out`, 'priority');
    if (this.priority === 'required' && !isUint16(priority))
      throw new RdataError(`${this.name} records need a priority: send one from 0 to 65535`, 'priority');
  }

  private assertValues(values: readonly unknown[]): void {
    this.parts.forEach(({ field, label }, at) => field.check?.(values[at], label));
    this.definition.check?.(this.named(values));
  }

  private encode(values: readonly unknown[]): Uint8Array {
    const out = new WireWriter();
    this.parts.forEach(({ field }, at) => {
      field.write(values[at], out);
    });
    return out.finish();
  }

  /** Avoids closures: exports and transfers decode each record of a zone. */
  private decode(rdata: Uint8Array): readonly unknown[] {
    try {
      const wire = new WireReader(rdata);
      const values: unknown[] = [];
      for (const { field } of this.parts) values.push(field.read(wire));
      if (wire.remaining > 0)
        throw new RdataError(`${this.name} data has ${wire.remaining} octets too many: leave them out`);
      return values;
    } catch (error) {
      throw asRdataError(error);
    }
  }

  /** Omits fields with empty text, such as missing SVCB parameters. */
  private print(values: readonly unknown[], without = -1): string {
    let printed = '';
    for (const [at, { field }] of this.parts.entries()) {
      const text = at === without ? '' : field.print(values[at]);
      if (text !== '') printed += printed === '' ? text : ` ${text}`;
    }
    return printed;
  }

  private named(values: readonly unknown[]): Values<F> {
    const named: Record<string, unknown> = {};
    this.parts.forEach(({ name }, at) => {
      named[name] = values[at];
    });
    // The compiler cannot see that these fields have read the values in their order.
    return named as Values<F>;
  }

  private placementOfRdata(): Placement<Uint8Array> {
    const { exclusive, needs, ...rules } = this.definition.placement ?? {};
    return {
      ...rules,
      ...(exclusive && {
        exclusive: { ...exclusive, includes: (rdata: Uint8Array) => exclusive.includes(this.values(rdata)) },
      }),
      ...(needs && {
        needs: { ...needs, isNeededBy: (rdata: Uint8Array) => needs.isNeededBy?.(this.values(rdata)) ?? true },
      }),
    };
  }
}

function partOf([name, field]: [string, Field<unknown>]): Part {
  const label = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return { name, label, form: field.form, field };
}

function isUint16(value: number | null): boolean {
  return Number.isInteger(value) && value !== null && value >= 0 && value <= 0xffff;
}

function tooLongError(): RdataError {
  return new RdataError(`the data is too long: shorten it to the ${MAX_RDATA} octets that fit into one record`);
}

function asRdataErrors<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw asRdataError(error);
  }
}

function asRdataError(error: unknown): unknown {
  return error instanceof NameError || error instanceof WireError ? new RdataError(error.message) : error;
}
