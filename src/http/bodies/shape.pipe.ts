import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { type FieldError, type FieldValidator, ServiceError } from '../../common/service-error.js';

/** Deeper than any documented object; class-transformer recurses, so hostile nesting must not reach it. */
const MAX_DEPTH = 8;
/** More than any documented object has; each unknown field costs an entry of the answer. */
const MAX_FIELDS = 100;
/** A key is quoted up to here: it may be as long as the body. */
const QUOTED_KEY = 64;

/** What a handler declares of a body or a query that has no DTO. */
const SHAPELESS = new Set<unknown>([Object, Buffer]);

/** class-validator's names for its checks in the words of JSON Schema; what is missing here is a `type` fault. */
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
};

/** Shape before meaning: whether a body or a query looks like its DTO, by class-validator, with one error a field. */
@Injectable()
export class ShapePipe implements PipeTransform {
  transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
    if ((type !== 'body' && type !== 'query') || metatype === undefined || SHAPELESS.has(metatype)) return value;
    return readShape(metatype as Type<object>, value);
  }
}

/** The same for a parameter that a later pipe turns into something else than its DTO. */
export function shapeOf(dto: Type<object>): PipeTransform {
  return { transform: (value: unknown) => readShape(dto, value) };
}

/** @throws ServiceError `invalid_object` */
function readShape<T extends object>(dto: Type<T>, value: unknown): T {
  const strayKeys = findStrayKeys(value, '', 1);
  if (strayKeys.length > 0) throw refusalOf(strayKeys);
  const instance = plainToInstance(dto, value, { exposeUnsetFields: false });
  const faults = validateSync(instance, {
    whitelist: true,
    forbidNonWhitelisted: true,
    forbidUnknownValues: false,
    stopAtFirstError: true,
  });
  if (faults.length > 0) throw refusalOf(faults.flatMap((fault) => fieldErrorsOf(fault, '')));
  return instance;
}

function findStrayKeys(value: unknown, path: string, depth: number): FieldError[] {
  if (typeof value !== 'object' || value === null) return [];
  if (depth > MAX_DEPTH) return [{ path, validator: 'type', message: `${path} is nested too deep.` }];
  const fields = Object.entries(value);
  if (fields.length > MAX_FIELDS)
    return [{ path, validator: 'additionalProperties', message: `No object has ${fields.length} fields.` }];
  return fields.flatMap(([key, inner]) => {
    const innerPath = joinPath(path, key);
    // class-transformer drops what every object inherits in silence; said by a caller, it is an unknown field.
    return key in Object.prototype ? [unknownField(innerPath)] : findStrayKeys(inner, innerPath, depth + 1);
  });
}

function fieldErrorsOf(fault: ValidationError, parent: string): FieldError[] {
  const path = joinPath(parent, fault.property);
  if (fault.children !== undefined && fault.children.length > 0)
    return fault.children.flatMap((child) => fieldErrorsOf(child, path));
  if (fault.value === undefined) return [{ path, validator: 'required', message: `${path} is required.` }];
  const [[name, message] = ['', '']] = Object.entries(fault.constraints ?? {});
  if (name === 'whitelistValidation') return [unknownField(path)];
  return [{ path, validator: VALIDATORS[name] ?? 'type', message: `${message}.` }];
}

function unknownField(path: string): FieldError {
  return { path, validator: 'additionalProperties', message: `${path || '""'} is not a known field; leave it out.` };
}

function joinPath(parent: string, key: string): string {
  const quoted = key.length > QUOTED_KEY ? `${key.slice(0, QUOTED_KEY)}…` : key;
  return parent === '' ? quoted : `${parent}.${quoted}`;
}

function refusalOf(errors: readonly FieldError[]): ServiceError {
  return new ServiceError('invalid_object', errors.map((error) => error.message).join(' '), errors);
}
