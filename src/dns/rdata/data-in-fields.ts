import { NameError } from '../name.js';
import type { Field } from './field.js';
import { type FieldShape, type JsonForm, JsonTypeError, presentationForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { TokenReader } from './token-reader.js';

/** A field of a type, as programs know it. */
export interface FieldDescription extends FieldShape {
  /** What JSON calls it: `name_server`. */
  readonly name: string;
  /** What people call it: `Name server`. */
  readonly label: string;
  /** What its text is, in a few words: `host name`. */
  readonly form: string;
}

/** One thing that is wrong with data in fields. */
export interface FieldFault {
  /** `fields` where it is about all of them. */
  readonly path: 'data' | 'priority' | 'fields' | `fields.${string}`;
  readonly message: string;
  readonly problem: 'required' | 'additionalProperties' | 'type' | 'format';
}

/** Data in fields that is refused. */
export class FieldsError extends Error {
  override readonly name = 'FieldsError';

  constructor(readonly faults: readonly FieldFault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
  }
}

/** The data of a type as JSON, field by field, so that who writes it need not know how zone files are written. */
export interface DataInFields {
  /** In the order of the data; without the priority. */
  readonly descriptions: readonly FieldDescription[];
  /** The field that API data has as `priority`; `null`: none. */
  readonly priority: FieldDescription | null;
  /**
   * The RDATA.
   * @throws FieldsError with whatever is wrong
   */
  parse(fields: Readonly<Record<string, unknown>>, priority: number | null): Uint8Array;
  show(rdata: Uint8Array): Readonly<Record<string, unknown>>;
}

/** A field of a type, and what messages call it. */
export interface Part {
  readonly name: string;
  readonly label: string;
  readonly form: string;
  readonly field: Field<unknown>;
}

/** What a declared type does with the values of its fields. */
interface Values {
  assertPriority(priority: number | null): void;
  /** Checks the values together; returns the RDATA. */
  finish(values: readonly unknown[]): Uint8Array;
  decode(rdata: Uint8Array): readonly unknown[];
}

/** A part as JSON. */
interface JsonPart {
  readonly part: Part;
  readonly at: number;
  readonly form: JsonForm<unknown>;
  readonly description: FieldDescription;
}

/** The fields that a type has declared. */
export class DeclaredFields implements DataInFields {
  readonly descriptions: readonly FieldDescription[];
  readonly priority: FieldDescription | null;
  private readonly parts: readonly JsonPart[];

  /** @param priorityAt the place of the field that is the priority; -1: there is none */
  constructor(
    private readonly typeName: string,
    all: readonly Part[],
    private readonly priorityAt: number,
    private readonly values: Values,
  ) {
    const parts = all.map(jsonPartOf);
    this.parts = parts.filter(({ at }) => at !== priorityAt);
    this.descriptions = this.parts.map(({ description }) => description);
    const priority = parts[priorityAt];
    this.priority = priority === undefined ? null : { ...priority.description, name: 'priority' };
  }

  parse(fields: Readonly<Record<string, unknown>>, priority: number | null): Uint8Array {
    const faults = unknownFields(this.typeName, this.descriptions, fields);
    attempt(faults, 'priority', () => this.values.assertPriority(priority));
    const values: unknown[] = [];
    for (const { part, at, form, description } of this.parts) {
      const path = `fields.${description.name}` as const;
      const json = valueIn(fields, description.name) ?? (form.optional && EMPTY);
      if (json === undefined) faults.push({ path, message: 'required', problem: 'required' });
      else attempt(faults, path, () => (values[at] = read(part, form, json)));
    }
    if (faults.length > 0) throw new FieldsError(faults);
    if (this.priorityAt >= 0) values[this.priorityAt] = priority;
    return this.finish(values);
  }

  show(rdata: Uint8Array): Readonly<Record<string, unknown>> {
    const values = this.values.decode(rdata);
    return Object.fromEntries(
      this.parts.map(({ at, form, description }) => [description.name, form.toJson(values[at])]),
    );
  }

  /** What fields are wrong together is said of one of them where the type knows of which. */
  private finish(values: readonly unknown[]): Uint8Array {
    try {
      return this.values.finish(values);
    } catch (error) {
      if (!(error instanceof RdataError)) throw error;
      const named = this.parts.find(({ part }) => part.name === error.part)?.description.name;
      const path = named === undefined ? 'fields' : (`fields.${named}` as const);
      throw new FieldsError([{ path, message: error.message, problem: 'format' }]);
    }
  }
}

/** How many characters of a key an error quotes: a key may be as long as the body. */
const MAX_QUOTED = 64;
/** In characters: no text that fits into a record is as long, with every octet as `\DDD`. */
const MAX_TEXT = 4 * 0xffff + 4096;
/** What a field that may be left out is where it is: no value, and an empty one. */
const EMPTY = Symbol('left out');

/** What is in `fields` that the type does not have. */
export function unknownFields(
  typeName: string,
  known: readonly FieldDescription[],
  fields: Readonly<Record<string, unknown>>,
): FieldFault[] {
  const names = known.map(({ name }) => name);
  const others = Object.keys(fields).filter((key) => !names.includes(key));
  return others.map((key) => ({
    path: `fields.${key.slice(0, MAX_QUOTED)}`,
    message: `not a field of ${typeName}, which has ${names.join(', ')}`,
    problem: 'additionalProperties',
  }));
}

function jsonPartOf(part: Part, at: number): JsonPart {
  const { field } = part;
  const form = field.json ?? presentationForm((value) => field.print(value));
  const { kind, minimum, maximum, values, repeats, optional } = form;
  const shape = {
    kind,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
    ...(values && { values }),
    ...(repeats && { repeats }),
    ...(optional && { optional }),
  };
  const label = part.label.charAt(0).toUpperCase() + part.label.slice(1);
  return { part, at, form, description: { name: jsonName(part.name), label, form: part.form, ...shape } };
}

/** `nameServer` → `name_server` */
function jsonName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function valueIn(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(fields, name) ? (fields[name] ?? undefined) : undefined;
}

function read({ field, label }: Part, form: JsonForm<unknown>, json: unknown): unknown {
  const left = form.repeats ? [] : '';
  const tokens = form.toTokens(json === EMPTY ? left : json, label);
  if (tokens.reduce((sum, { text }) => sum + text.length + 1, 0) > MAX_TEXT)
    throw new RdataError(`the ${label} is too long for a record: shorten it`);
  const reader = new TokenReader(tokens);
  const value = field.parse(reader, label);
  reader.assertAtEnd();
  field.check?.(value, label);
  return value;
}

function attempt(faults: FieldFault[], path: FieldFault['path'], work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof RdataError) && !(error instanceof NameError)) throw error;
    faults.push({ path, message: error.message, problem: error instanceof JsonTypeError ? 'type' : 'format' });
  }
}
