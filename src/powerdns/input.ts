import { ServiceError } from '../common/service-error.js';
import { isText } from '../common/json.js';

export type InputObject = Readonly<Record<string, unknown>>;

/** @throws always a ServiceError with status 422 */
export function refuse(message: string): never {
  throw unprocessable(message);
}

export function unprocessable(message: string): ServiceError {
  return new ServiceError('invalid_object', message);
}

export function objectIn(value: unknown, what: string): InputObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(`${what} is no object`);
  return value as InputObject;
}

/** `null` counts as absent. */
export function listIn(object: InputObject, field: string): readonly unknown[] | undefined {
  const value = object[field];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) refuse(`Key '${field}' is not an array`);
  return value as unknown[];
}

export function textIn(object: InputObject, field: string, longest = 65_535): string | undefined {
  const value = object[field];
  if (value === undefined || value === null) return undefined;
  if (!isText(value) || value.length > longest)
    return refuse(`Key '${field}' is not a string of at most ${longest} characters`);
  return value;
}

export function neededText(object: InputObject, field: string): string {
  return textIn(object, field) ?? refuse(`Key '${field}' not present or not a String`);
}

export function truthIn(object: InputObject, field: string): boolean | undefined {
  const value = object[field];
  if (value === undefined || value === null) return undefined;
  return typeof value === 'boolean' ? value : refuse(`Key '${field}' is not a Bool`);
}

/** Accepts a number, or a string of digits. */
export function integerIn(object: InputObject, field: string, most: number): number | undefined {
  const value = object[field];
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && /^\d{1,19}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) return refuse(`Key '${field}' is not an Integer`);
  if (number < 0) return refuse(`Key '${field}' is not a positive Integer`);
  if (number <= most) return number;
  return refuse(`Value for key '${field}' is out of range: Key '${field}' is not a valid number up to ${most}`);
}

/** @throws ServiceError for a name without the final dot */
export function assertCanonical(name: string): void {
  if (!name.endsWith('.')) refuse(`DNS Name '${name.slice(0, 255)}' is not canonical`);
}
