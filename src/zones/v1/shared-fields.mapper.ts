import { applyDecorators } from '@nestjs/common';
import { IsInt, Max, Min, IsOptional, IsString, IsUUID, MaxLength } from '../../http/bodies/class-validator.js';
import { MAX_TTL } from '../../common/field-limits.js';
import { because } from '../../common/refusal-facts.js';
import { ServiceError } from '../../common/service-error.js';
import { ApiPropertyOptional } from '../../http/openapi/decorators.js';

/** Version 2 and zone files also accept a ttl of 0. */
const LOWEST_NEW_TTL = 1;

export function IsNewTtl(): PropertyDecorator {
  return isTtlFrom(LOWEST_NEW_TTL);
}

/** For a ttl that may already be 0: see `assertTtlKept`. */
export function IsTtl(): PropertyDecorator {
  return isTtlFrom(0);
}

// class-validator reports the first check that fails: the type before the range.
const isTtlFrom = (min: number): PropertyDecorator => applyDecorators(IsInt(), Min(min), Max(MAX_TTL));

export const NEW_TTL = { type: 'integer', minimum: LOWEST_NEW_TTL, maximum: MAX_TTL, example: 3600 } as const;
export const ANY_TTL = { ...NEW_TTL, minimum: 0 } as const;

/** Accepts a ttl of 0 only if it is unchanged (behaviour 4.4). `before` is `null` for a new object. */
export function assertTtlKept(ttl: number | null | undefined, before: { readonly ttl: number | null } | null): void {
  if (ttl === null || ttl === undefined || ttl >= LOWEST_NEW_TTL || ttl === before?.ttl) return;
  throw ServiceError.ofField(
    'invalid_object',
    'ttl',
    'minimum',
    `ttl must not be less than ${LOWEST_NEW_TTL}.`,
    because('minimum', { minimum: LOWEST_NEW_TTL }),
  );
}

const TIMESTAMP_LENGTH = 64;

/** Fields of an answer that a client may send back: validated, then ignored (behaviour 4.1). */
export class ReadOnlyFields {
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @IsUUID()
  id?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @MaxLength(TIMESTAMP_LENGTH)
  @IsString()
  created_at?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @MaxLength(TIMESTAMP_LENGTH)
  @IsString()
  updated_at?: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @IsString()
  tenant_id?: string | null;
}
