import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { because, type RefusalFacts } from '../../common/refusal-facts.js';
import { type FieldError, type FieldValidator, MOST_ERRORS, ServiceError } from '../../common/service-error.js';
import { getMetadataStorage, Validator } from './class-validator.js';
import { MAX_ELEMENTS, DeclaredShape } from './declared-shape.js';

/** Deeper than any documented object. Bounds the recursion of class-transformer. */
const MAX_DEPTH = 8;
/** More than any documented object has. The answer lists each unknown field. */
const MAX_FIELDS = 100;
/** Quoted characters of a key, which may be as long as the body. */
const QUOTED_KEY = 64;

/** Types that Nest passes for a body or query without DTO. */
const WITHOUT_DTO = new Set<unknown>([Object, Array, Buffer]);

/** JSON Schema keywords for class-validator checks. The default is `type`. */
const VALIDATORS: Readonly<Record<string, FieldValidator>> = {
  whitelistValidation: 'additionalProperties',
  min: 'minimum',
  max: 'maximum',
  maxLength: 'maxLength',
  minLength: 'required',
  isUuid: 'format',
  isEmail: 'format',
  matches: 'format',
  isIn: 'enum',
  isInstant: 'format',
};

/** Validates a body or query against its DTO. A refusal has one error for each wrong field. */
@Injectable()
export class ShapePipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || metatype === undefined || WITHOUT_DTO.has(metatype)) return value;
    return readShape(metatype as Type<object>, value);
  }
}

export function shapeOf(dto: Type<object>): PipeTransform {
  return { transform: (value: unknown) => readShape(dto, value) };
}

/** @throws ServiceError `invalid_object` with one error for each wrong field */
export function readShape<T extends object>(dto: Type<T>, value: unknown): T {
  return DeclaredShape.of(dto)?.instanceOf(value) ?? readByLibraries(dto, value);
}

/** Slow path: class-validator finds the errors of a value that is not as declared. */
function readByLibraries<T extends object>(dto: Type<T>, value: unknown): T {
  const keyErrors = firstOf(findKeyErrors(value, '', 1));
  if (keyErrors.length > 0) throw ServiceError.ofFields('invalid_object', keyErrors);
  const instance = plainToInstance(dto, value, { exposeUnsetFields: false });
  const errors = new Validator().validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: false,
    stopAtFirstError: true,
  });
  if (errors.length > 0)
    throw ServiceError.ofFields(
      'invalid_object',
      errors.flatMap((error) => fieldErrorsOf(error, '')),
    );
  return instance;
}

/** Stops one after the limit, to tell that more exist: a body may have 60,000. */
function firstOf(errors: Iterable<FieldError>): FieldError[] {
  const first: FieldError[] = [];
  for (const error of errors) if (first.push(error) > MOST_ERRORS) break;
  return first;
}

/** Finds values that class-transformer must not see: deep nesting, too many fields, keys that every object inherits. */
function* findKeyErrors(value: unknown, path: string, depth: number): Generator<FieldError, void> {
  if (typeof value !== 'object' || value === null) return;
  if (depth > MAX_DEPTH) {
    yield { path, validator: 'type', message: `${path} is nested too deep.` };
    return;
  }
  if (Array.isArray(value)) {
    yield* findKeyErrorsInList(value, path, depth);
    return;
  }
  const fields = Object.entries(value);
  if (fields.length > MAX_FIELDS)
    yield { path, validator: 'additionalProperties', message: `No object has ${fields.length} fields.` };
  else yield* findKeyErrorsIn(fields, path, depth);
}

function* findKeyErrorsIn(
  fields: readonly (readonly [key: string, inner: unknown])[],
  path: string,
  depth: number,
): Generator<FieldError, void> {
  for (const [key, inner] of fields) {
    const innerPath = joinPath(path, key);
    // class-transformer would silently drop such a key.
    if (key in Object.prototype) yield unknownField(innerPath);
    else yield* findKeyErrors(inner, innerPath, depth + 1);
  }
}

function* findKeyErrorsInList(list: readonly unknown[], path: string, depth: number): Generator<FieldError, void> {
  if (list.length > MAX_ELEMENTS)
    yield { path, validator: 'maximum', message: `${path} has ${list.length} elements, more than ${MAX_ELEMENTS}.` };
  else for (const [at, element] of list.entries()) yield* findKeyErrors(element, `${path}[${at}]`, depth + 1);
}

function fieldErrorsOf(
  { target, property, children = [], value, constraints = {} }: ValidationError,
  parent: string,
  isElement = false,
): FieldError[] {
  const path = isElement ? `${parent}[${property}]` : joinPath(parent, property);
  if (children.length > 0) return children.flatMap((child) => fieldErrorsOf(child, path, Array.isArray(value)));
  if (value === undefined) return [{ path, validator: 'required', message: `${path} is required.` }];
  const [[name, message] = ['', '']] = Object.entries(constraints);
  if (name === 'whitelistValidation') return [unknownField(path)];
  return [
    { path, validator: VALIDATORS[name] ?? 'type', message: `${message}.`, facts: boundOf(target, property, name) },
  ];
}

function boundOf(target: object | undefined, property: string, check: string): RefusalFacts | undefined {
  if (target === undefined || !(check in BOUNDS)) return undefined;
  const declared = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);
  const declaration = declared.find((one) => one.propertyName === property && one.name === check);
  // These decorators have their bound as first argument.
  return BOUNDS[check]?.((declaration?.constraints as readonly unknown[] | undefined)?.[0]);
}

const BOUNDS: Readonly<Record<string, (bound: unknown) => RefusalFacts | undefined>> = {
  min: (bound) => (typeof bound === 'number' ? because('minimum', { minimum: bound }) : undefined),
  max: (bound) => (typeof bound === 'number' ? because('maximum', { maximum: bound }) : undefined),
  maxLength: (bound) => (typeof bound === 'number' ? because('maxLength', { maximum: bound }) : undefined),
  isIn: (bound) => (Array.isArray(bound) ? because('enum', { values: bound.map(String) }) : undefined),
};

function unknownField(path: string): FieldError {
  return { path, validator: 'additionalProperties', message: `${path || '""'} is not a known field; leave it out.` };
}

function joinPath(parent: string, key: string): string {
  const quoted = key.length > QUOTED_KEY ? `${key.slice(0, QUOTED_KEY)}…` : key;
  return parent === '' ? quoted : `${parent}.${quoted}`;
}
