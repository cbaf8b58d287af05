import type { Type } from '@nestjs/common';
import { getMetadataStorage } from '../bodies/class-validator.js';
import { MayBeAbsent } from '../bodies/field-decorators.js';
import { describeLater } from './decorators.js';

/**
 * Base class with the fields of another, each of which may be absent but not null. `PartialType` of `@nestjs/swagger`
 * reads the descriptions too early; that of `@nestjs/mapped-types` loads all of class-validator.
 */
export function PartialType<T extends object>(parent: Type<T>): Type<Partial<T>> {
  return withAbsentFields(parent, () => true);
}

/** Like `PartialType`, for some fields. */
export function OptionalFields<T extends object, Field extends keyof T & string>(
  parent: Type<T>,
  optional: readonly Field[],
): Type<Omit<T, Field> & Partial<Pick<T, Field>>> {
  const names: readonly string[] = optional;
  return withAbsentFields(parent, (field) => names.includes(field));
}

/** @returns `parent` as decorated; TypeScript cannot infer the type */
function withAbsentFields<Made>(parent: Type, isOptional: (field: string) => boolean): Type<Made> {
  // The child inherits the decorators of the parent.
  const child = class extends (parent as Type<object>) {};
  for (const field of validatedFields(parent)) if (isOptional(field)) MayBeAbsent()(child.prototype, field);
  describeLike(parent, child, isOptional);
  return child as Type<Made>;
}

function validatedFields(dto: Type): ReadonlySet<string> {
  const declared = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return new Set(declared.map(({ propertyName }) => propertyName));
}

function describeLike(parent: Type, child: Type, isOptional: (field: string) => boolean): void {
  const described = parent.prototype as object;
  const target = child.prototype as object;
  describeLater(({ ApiProperty, DECORATORS }) => {
    // Each key is a colon and a field name.
    const keys = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, described) as readonly string[];
    for (const field of keys.map((key) => key.slice(1))) {
      const options = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, described, field) as object;
      ApiProperty(isOptional(field) ? { ...options, required: false } : options)(target, field);
    }
  });
}
