import { ValidateBy, ValidateIf, IsInt, Max, Min, IsIn } from './class-validator.js';
import { canonicalUuid } from '../../common/uuid.js';
import { isText } from '../../common/json.js';
import { readInstant } from '../../common/clock.js';
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '../openapi/decorators.js';
import { Transform } from 'class-transformer';

export function IsText(): PropertyDecorator {
  return ValidateBy({
    name: 'isText',
    validator: {
      validate: isText,
      defaultMessage: (args) => `${args?.property ?? ''} must be a string of Unicode characters without NUL`,
    },
  });
}

export function IsTexts(): PropertyDecorator {
  return ValidateBy({
    name: 'isTexts',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every(isText),
      defaultMessage: (args) => `${args?.property ?? ''} must be a list of strings of Unicode characters without NUL`,
    },
  });
}

export function IsInstant(): PropertyDecorator {
  return ValidateBy({
    name: 'isInstant',
    validator: {
      validate: (value) => typeof value === 'string' && readInstant(value) !== null,
      defaultMessage: () => '$property is a time such as 2026-11-20T08:30:00Z',
    },
  });
}

/** Converts a UUID to the notation of the database (behaviour 1.5). */
export function CanonicalUuid(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (canonicalUuid(value) ?? value) : value,
  );
}

/** Allows absence but not null: IsOptional of class-validator allows both. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

const MAX_QUANTITY = 2_147_483_647;

export function Quantity(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_QUANTITY, example: 20, description }),
    MayBeAbsent(),
    // class-validator reports the first failing check: the type before the range.
    IsInt(),
    Min(0),
    Max(MAX_QUANTITY),
  );
}

const BOOLEANS = ['true', 'false'] as const;

/** A query has only texts. */
export type BooleanParameter = (typeof BOOLEANS)[number];

export function IsBooleanParameter(description: string): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ type: Boolean, description }), MayBeAbsent(), IsIn(BOOLEANS));
}

const DIGITS = /^[0-9]{1,20}$/;

export function IntegerParameter(min: number, max: number): PropertyDecorator {
  return applyDecorators(
    // class-validator reports the first failing check: the type before the range.
    IsInt(),
    Min(min),
    Max(max),
    Transform(({ value }: { value: unknown }) => (isDigits(value) ? Number(value) : value)),
  );
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && DIGITS.test(value);
}
