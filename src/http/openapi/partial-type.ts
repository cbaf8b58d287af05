import type { Type } from '@nestjs/common';
import { getMetadataStorage } from '../bodies/class-validator.js';
import { MayBeAbsent } from '../bodies/may-be-absent.decorator.js';
import { describeLater } from './decorators.js';

/**
 * A class to be extended: the fields of another, each of which may be absent. Null is allowed only where the other class allows
 * it. `PartialType` of `@nestjs/swagger` reads the description of the fields when it is called, and that of
 * `@nestjs/mapped-types` loads all of class-validator.
 */
export function PartialType<T extends object>(parent: Type<T>): Type<Partial<T>> {
  return withAbsentFields(parent, () => true);
}

/** The same where only some of the fields may be absent. */
export function OptionalFields<T extends object, Field extends keyof T & string>(
  parent: Type<T>,
  optional: readonly Field[],
): Type<Omit<T, Field> & Partial<Pick<T, Field>>> {
  const names: readonly string[] = optional;
  return withAbsentFields(parent, (field) => names.includes(field));
}

/** @returns what the decorators make of `parent`; TypeScript does not know them */
function withAbsentFields<Made>(parent: Type, isOptional: (field: string) => boolean): Type<Made> {
  // What is declared for the parent holds for whoever inherits from it.
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
    // Each is the name of a field after a colon.
    const keys = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, described) as readonly string[];
    for (const field of keys.map((key) => key.slice(1))) {
      const options = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, described, field) as object;
      ApiProperty(isOptional(field) ? { ...options, required: false } : options)(target, field);
    }
  });
}
