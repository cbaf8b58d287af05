import { NameError } from '../name.js';
import type { Field } from './field.js';
import { type FieldShape, type JsonForm, JsonTypeError, presentationForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { TokenReader } from './tokens.js';

export interface FieldDescription extends FieldShape {
  /** Name in JSON: `name_server`. */
  readonly name: string;
  /** Name for people: `Name server`. */
  readonly label: string;
  /** Form of the text: `host name`. */
  readonly form: string;
}

export interface FieldFault {
  /** `fields` for all fields together. */
  readonly path: 'data' | 'priority' | 'fields' | `fields.${string}`;
  readonly message: string;
  readonly problem: 'required' | 'additionalProperties' | 'type' | 'format';
}

export class FieldsError extends Error {
  override readonly name = 'FieldsError';

  constructor(readonly faults: readonly FieldFault[]) {
    super(faults.map(({ path, message }) => `${path}: ${message}`).join('; '));
  }
}

/** Converts data to JSON fields and back, so that clients need no zone file syntax. */
export interface DataInFields {
  /** In the order of the data, without the priority. */
  readonly descriptions: readonly FieldDescription[];
  /** Field for `priority` of API data. */
  readonly priority: FieldDescription | null;
  /** @throws FieldsError with all errors */
  parse(fields: Readonly<Record<string, unknown>>, priority: number | null): Uint8Array;
  show(rdata: Uint8Array): Readonly<Record<string, unknown>>;
}

export interface Part {
  readonly name: string;
  readonly label: string;
  readonly form: string;
  readonly field: Field<unknown>;
}

interface Values {
  assertPriority(priority: number | null): void;
  finish(values: readonly unknown[]): Uint8Array;
  decode(rdata: Uint8Array): readonly unknown[];
}

interface JsonPart {
  readonly part: Part;
  readonly at: number;
  readonly form: JsonForm<unknown>;
  readonly description: FieldDescription;
}

export class DeclaredFields implements DataInFields {
  readonly descriptions: readonly FieldDescription[];
  readonly priority: FieldDescription | null;
  private readonly parts: readonly JsonPart[];

  /** @param priorityAt index of the priority field, or -1 */
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

  /** Assigns an error of the combined check to the field that the type names. */
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

/** Quoted characters of a key, which may be as long as the body. */
const MAX_QUOTED = 64;
/** Characters; longer than any text that fits into a record, even in `\DDD` escapes. */
const MAX_TEXT = 4 * 0xffff + 4096;
const EMPTY = Symbol('left out');

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
