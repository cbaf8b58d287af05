import { isText } from './text.js';

/** What others have sent as JSON is looked at by these: whatever is not as expected is as if it were not there. */

/** A member of an object, inherited ones excepted. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text with at least one character. */
export function textOf(value: unknown): string | null {
  return isText(value) && value !== '' ? value : null;
}
