import type { Type } from '@nestjs/common';
import { IntersectionType, OmitType, PartialType as partialType, PickType } from '@nestjs/mapped-types';
import { describeLater } from './decorators.js';

/** Null is allowed only where the other class allows it. */
const OPTIONS = { skipNullProperties: false };

/**
 * A class with the fields of another, each of which may be absent. It replaces `PartialType` of `@nestjs/swagger`, which
 * reads the description of the fields when it is called.
 */
export function PartialType<T>(parent: Type<T>): ReturnType<typeof partialType<T>> {
  const partial = partialType(parent, OPTIONS);
  describeLike(parent, partial, () => true);
  return partial;
}

/** A class with the fields of another, some of which may be absent. */
export function OptionalFields<T, Field extends keyof T>(
  parent: Type<T>,
  optional: readonly Field[],
): Type<Omit<T, Field> & Partial<Pick<T, Field>>> {
  const child = IntersectionType(OmitType(parent, optional), partialType(PickType(parent, optional), OPTIONS));
  const names: readonly unknown[] = optional;
  describeLike(parent, child, (field) => names.includes(field));
  // What the three helpers make together; TypeScript does not put their types together.
  return child as unknown as Type<Omit<T, Field> & Partial<Pick<T, Field>>>;
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
