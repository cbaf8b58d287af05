import type { Type } from '@nestjs/common';
import { PartialType as partialType } from '@nestjs/mapped-types';
import { describeLater } from './decorators.js';

/**
 * A class with the fields of another, each of which may be absent; null is allowed only where the other allows it.
 * It replaces `PartialType` of `@nestjs/swagger`, which reads the description of the fields when it is called.
 */
export function PartialType<T>(parent: Type<T>): ReturnType<typeof partialType<T>> {
  const partial = partialType(parent, { skipNullProperties: false });
  const described = parent.prototype as object;
  const target = partial.prototype as object;
  describeLater(({ ApiProperty, DECORATORS }) => {
    // Each is the name of a field after a colon.
    const keys = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, described) as readonly string[];
    for (const field of keys.map((key) => key.slice(1))) {
      const options = Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, described, field) as object;
      ApiProperty({ ...options, required: false })(target, field);
    }
  });
  return partial;
}
