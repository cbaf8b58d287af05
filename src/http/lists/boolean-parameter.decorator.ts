import { applyDecorators } from '@nestjs/common';
import { IsIn } from '../bodies/class-validator.js';
import { MayBeAbsent } from '../bodies/may-be-absent.decorator.js';
import { ApiPropertyOptional } from '../openapi/decorators.js';

const BOOLEANS = ['true', 'false'] as const;

/** What a boolean of the query is: a query has texts. */
export type BooleanParameter = (typeof BOOLEANS)[number];

/** Describes and checks a parameter of the query that is `true` or `false`, and false where it is absent. */
export function IsBooleanParameter(description: string): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ type: Boolean, description }), MayBeAbsent(), IsIn(BOOLEANS));
}
