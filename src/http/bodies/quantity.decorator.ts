import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '../openapi/decorators.js';
import { IsInt, Max, Min } from './class-validator.js';
import { MayBeAbsent } from './may-be-absent.decorator.js';

const MAX_QUANTITY = 2_147_483_647;

/** Describes and checks an optional integer from 0 to 2147483647. */
export function Quantity(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_QUANTITY, example: 20, description }),
    MayBeAbsent(),
    // class-validator reports the first check that fails: the type before the range.
    IsInt(),
    Min(0),
    Max(MAX_QUANTITY),
  );
}
