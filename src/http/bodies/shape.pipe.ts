import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { because, type RefusalFacts } from '../../common/refusal-facts.js';
import { type FieldError, type FieldValidator, MOST_ERRORS, ServiceError } from '../../common/service-error.js';
import { getMetadataStorage, Validator } from './class-validator.js';
import { MAX_ELEMENTS } from './declared-field.js';
import { DeclaredShape } from './declared-shape.js';

/** No documented object is as deep. class-transformer recurses, so what is deeper must not reach it. */
const MAX_DEPTH = 8;
/** No documented object has as many fields. Each unknown field is an entry in the answer. */
const MAX_FIELDS = 100;
/** How many characters of a key an error quotes: a key may be as long as the body. */
const QUOTED_KEY = 64;

/** What Nest knows as the type of a body or a query that has no DTO. */
const WITHOUT_DTO = new Set<unknown>([Object, Array, Buffer]);

/** The JSON Schema words for class-validator's checks; the checks that are not named here are errors of `type`. */
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

/** Checks a body or a query against its DTO with class-validator. A refusal has one error for each wrong field. */
@Injectable()
export class ShapePipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || metatype === undefined || WITHOUT_DTO.has(metatype)) return value;
    return readShape(metatype as Type<object>, value);
  }
}

/** The same check as a pipe for one parameter, where the next pipe turns the DTO into another type. */
export function shapeOf(dto: Type<object>): PipeTransform {
  return { transform: (value: unknown) => readShape(dto, value) };
}

/**
 * What `value` is in the shape of `dto`.
 * @throws ServiceError `invalid_object` with one error for each wrong field
 */
export function readShape<T extends object>(dto: Type<T>, value: unknown): T {
  return DeclaredShape.of(dto)?.instanceOf(value) ?? readByLibraries(dto, value);
}

/** What is not as declared is looked at by class-validator, which says what is wrong with it. */
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

/** As many as are listed, and one more that tells of others: a body may have 60,000. */
function firstOf(errors: Iterable<FieldError>): FieldError[] {
  const first: FieldError[] = [];
  for (const error of errors) if (first.push(error) > MOST_ERRORS) break;
  return first;
}

/** Finds what class-transformer must not see: deep nesting, too many fields, keys that every object inherits. */
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
    // class-transformer would drop such a key without a word.
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

/** What the declaration of a field allows at most or at least, or the values that it may have. */
function boundOf(target: object | undefined, property: string, check: string): RefusalFacts | undefined {
  if (target === undefined || !(check in BOUNDS)) return undefined;
  const declared = getMetadataStorage().getTargetValidationMetadatas(target.constructor, '', false, false);
  const declaration = declared.find((one) => one.propertyName === property && one.name === check);
  // The decorators of class-validator that are named here have their bound as their first argument.
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
