import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from '../bodies/class-validator.js';

const DIGITS = /^[0-9]{1,20}$/;

/** Reads a parameter of the query as an integer from `min` to `max`. */
export function IntegerParameter(min: number, max: number): PropertyDecorator {
  return applyDecorators(
    // class-validator reports the first check that fails: the type before the range.
    IsInt(),
    Min(min),
    Max(max),
    Transform(({ value }: { value: unknown }) => (isDigits(value) ? Number(value) : value)),
  );
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && DIGITS.test(value);
}
