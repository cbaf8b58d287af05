import type { FieldDescription } from '../api/types.js';
import { targetName } from './names.js';

/** The controls of one field: a text for each value. */
export type Typed = readonly string[];

/** Texts of the fields of a record, by their names. */
export type TypedFields = Readonly<Record<string, Typed>>;

export type FieldFault = 'missing' | 'not a number';

export interface ReadFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly faults: Readonly<Record<string, FieldFault>>;
}

export const isName = ({ kind }: FieldDescription): boolean => kind === 'host_name' || kind === 'domain_name';

/** Stored fields as texts to edit. */
export function typedFields(
  descriptions: readonly FieldDescription[],
  fields: Readonly<Record<string, unknown>> | null | undefined,
): TypedFields {
  return Object.fromEntries(
    descriptions.map(({ name }) => {
      const value = fields?.[name];
      const values = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
      return [name, values.length === 0 ? [''] : values.map(textOf)];
    }),
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (isParameter(value)) return value.value === '' ? value.key : `${value.key}=${textOf(value.value)}`;
  // Octets that are no text, such as {"hexadecimal": "ff00"}; the service takes them back in this form.
  return JSON.stringify(value);
}

function isParameter(value: unknown): value is { readonly key: string; readonly value: unknown } {
  return typeof value === 'object' && value !== null && 'key' in value && 'value' in value;
}

/** Converts typed texts to fields and completes names; the service checks invalid texts. */
export function readFields(descriptions: readonly FieldDescription[], typed: TypedFields, zone: string): ReadFields {
  const fields: Record<string, unknown> = {};
  const faults: Record<string, FieldFault> = {};
  for (const description of descriptions) {
    const { name, repeats, optional, kind } = description;
    const texts = (typed[name] ?? []).filter(
      (text, index) => text !== '' || (kind === 'text' && index === 0 && !optional),
    );
    if (texts.length === 0) {
      if (!optional) faults[name] = 'missing';
      continue;
    }
    const values = texts.map((text) => (isName(description) ? targetName(text, zone) : valueOf(description, text)));
    if (values.includes(null)) faults[name] = 'not a number';
    else fields[name] = repeats ? values : values[0];
  }
  return { fields, faults };
}

/** `null`: not a number where one is required. */
function valueOf({ kind, values }: FieldDescription, text: string): unknown {
  if (kind === 'number' || (kind === 'choice' && typeof values?.[0]?.value !== 'string'))
    return /^\s*-?\d+\s*$/.test(text) ? Number(text) : null;
  if (kind === 'parameter') {
    const at = text.indexOf('=');
    return at < 0 ? { key: text.trim(), value: '' } : { key: text.slice(0, at).trim(), value: text.slice(at + 1) };
  }
  if (kind === 'text') return octetsOf(text) ?? text;
  return text.trim();
}

/** The fields of zone file data; `null` unless each word of the data is one field. */
export function fieldsOfWords(descriptions: readonly FieldDescription[], data: string): TypedFields | null {
  const found = data.trim().split(/\s+/);
  const areWords = descriptions.every(
    ({ kind, repeats }) => !repeats && kind !== 'text' && kind !== 'parameter' && kind !== 'presentation',
  );
  if (!areWords || found.length !== descriptions.length) return null;
  return Object.fromEntries(descriptions.map(({ name }, index) => [name, [found[index] ?? '']]));
}

/** Octets that the service has shown as an object, unchanged. */
function octetsOf(text: string): unknown {
  if (!/^\{"hexadecimal":"[0-9a-f]*"\}$/i.test(text)) return null;
  return JSON.parse(text);
}
