import { type DomainName, NameError } from '../name.js';
import type { OwnerRule } from '../owner-name.js';
import { WireError, WireReader } from '../message/wire-reader.js';
import { WireWriter } from '../message/wire-writer.js';
import { type DataInFields, DeclaredFields, type Part } from './data-in-fields.js';
import type { Field, Fields, NamesOf, Values } from './field.js';
import { GENERIC_MARK, genericRdata, isGenericText } from './generic-rdata.js';
import type { Placement, ZoneRole } from './placement.js';
import { RdataError } from './rdata-error.js';
import { type Token, TokenReader } from './token-reader.js';
import { tokenize } from './tokenize.js';

export { RdataError, type Token };

const MAX_RDATA = 0xffff;
/** In characters: the longest RDATA with every octet as `\DDD`, and a little for quotes and blanks. */
const MAX_DATA_TEXT = 4 * MAX_RDATA + 4096;

/** Everything that the service knows about a record type. `V` has the values of its fields by their names. */
export interface RecordType<V = unknown> {
  readonly name: string;
  readonly code: number;
  /** Where the type is defined: `RFC 1035 §3.3.9`. */
  readonly rfc: string;
  /** Whether API data has a `priority` beside `data`, as MX and SRV have. */
  readonly priority: 'required' | 'none';
  /** The fields of `data`, in their order. */
  readonly dataFields: readonly DataField[];
  readonly example: { readonly name: string; readonly data: string; readonly priority: number | null };
  /** What its owner names must be beyond the rule for all types; null for nothing more. */
  readonly owner: OwnerRule | null;
  /** Whether its owner names are names of hosts; other types stand at any name (RFC 2181 §11). */
  readonly hasHostOwner?: boolean;
  readonly placement: Placement<Uint8Array>;
  readonly role: ZoneRole | null;
  /**
   * The data as JSON, field by field; every type that `recordType` makes has it.
   * @internal
   */
  readonly inFields?: DataInFields;

  /**
   * Reads API data strictly (behaviour 5), or `\# length hex` (RFC 3597 §5); returns the RDATA. Names in it keep their case.
   * @throws RdataError
   */
  parse(data: string, priority: number | null): Uint8Array;
  /**
   * Reads the data of a record in a master file (RFC 1035 §5.1), or `\# length hex` (RFC 3597 §5); returns the RDATA.
   * @param origin completes relative names
   * @throws RdataError
   */
  parseTokens(tokens: readonly Token[], origin: DomainName): Uint8Array;
  /** API data in the one spelling that the service itself gives it; `parse` reads it back into the same RDATA. */
  toData(rdata: Uint8Array): { readonly data: string; readonly priority: number | null };
  /** Data for a master file that every name server reads alike: printable ASCII, all names absolute. */
  toText(rdata: Uint8Array): string;
  /** The values of the fields, `priority` included. */
  values(rdata: Uint8Array): V;
  /** The names in the RDATA that should have an address in their zone: those of name servers, mail exchangers and services. */
  targets(rdata: Uint8Array): readonly DomainName[];
  /**
   * RDATA that is the same for all records that count as equal: the names in it are in lower case (RFC 4034 §6.2, RFC 6840
   * §5.1). Returns the same array where there is nothing to change.
   */
  canonicalize(rdata: Uint8Array): Uint8Array;
  /** @throws RdataError for octets that `parse` could not have returned */
  check(rdata: Uint8Array): void;
}

/** A field of `data`, for the documentation. */
export interface DataField {
  readonly label: string;
  readonly form: string;
}

/** The description of a type, from which `recordType` makes it. */
export interface RecordTypeDefinition<F extends Fields> {
  readonly name: string;
  readonly code: number;
  readonly rfc: string;
  /** In the order of the RDATA. Messages have the names in words: `keyTag` is the "key tag". */
  readonly fields: F;
  /** The field, a `uint16`, that API data has as `priority` instead of in `data`. */
  readonly priority?: NamesOf<F, number>;
  /** Checks what the fields must be together; throws an RdataError. */
  readonly check?: (values: Values<F>) => void;
  /** Divides API data into tokens, where it is not `tokenize` that does. */
  readonly tokenize?: (data: string) => Token[];
  /** Whether API data has no `\# length hex`. The reference data refuses it for A and AAAA (behaviour 5.8). */
  readonly isPlainInApi?: true;
  readonly owner?: OwnerRule;
  readonly hasHostOwner?: true;
  readonly placement?: Placement<Values<F>>;
  /** The fields that name hosts which should have an address; `.` names none. */
  readonly targets?: readonly NamesOf<F, DomainName>[];
  readonly role?: ZoneRole;
  readonly example: { readonly name: string; readonly data: string; readonly priority?: number };
}

/** Makes a record type: reading, writing and comparing follow from its fields. */
export function recordType<F extends Fields>(definition: RecordTypeDefinition<F>): RecordType<Values<F>> {
  return new DeclaredType(definition);
}

class DeclaredType<F extends Fields> implements RecordType<Values<F>> {
  readonly name = this.definition.name;
  readonly code = this.definition.code;
  readonly rfc = this.definition.rfc;
  readonly example = { priority: null, ...this.definition.example };
  readonly owner = this.definition.owner ?? null;
  readonly hasHostOwner = this.definition.hasHostOwner ?? false;
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
    // The definition allows no other field for the priority than one of numbers.
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
    // The definition allows no other fields for targets than those of names.
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

  /** With a priority of null, that too is read from the tokens where the type has one. */
  private readTokens(tokens: TokenReader, priority: number | null): Uint8Array {
    const values = this.parts.map(({ field, label }, at) =>
      at === this.priorityAt && priority !== null ? priority : field.parse(tokens, label),
    );
    tokens.assertAtEnd();
    return this.finish(values);
  }

  /** Checks the values, also together; returns the RDATA. */
  private finish(values: readonly unknown[]): Uint8Array {
    this.assertValues(values);
    const rdata = this.encode(values);
    if (rdata.length > MAX_RDATA) throw tooLongError();
    return rdata;
  }

  /** The octets have the priority too, so that none has to be given beside them. */
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
    if (this.priority === 'none' && priority !== null) {
      throw new RdataError(`${this.name} records have no priority: leave it out`, 'priority');
    }
    if (this.priority === 'required' && !isUint16(priority)) {
      throw new RdataError(`${this.name} records need a priority: send one from 0 to 65535`, 'priority');
    }
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

  /** Without functions inside: exports and transfers read every record of a zone here. */
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

  /** Leaves out fields whose text is empty, like the parameters of an SVCB record without any. */
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
    // The values were read by these very fields, in their order, which the compiler cannot follow.
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

/** Returns what `read` returns; a NameError or WireError from it becomes an RdataError with the same message. */
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
