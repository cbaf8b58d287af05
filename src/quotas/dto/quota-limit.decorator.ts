import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { MayBeAbsent } from '../../common/http/may-be-absent.decorator.js';

const MAX_QUOTA = 2_147_483_647;

/** One limit of a change: left out, or an integer from 0 to 2147483647 (behaviour 8.2). */
export function QuotaLimit(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_QUOTA, description }),
    MayBeAbsent(),
    // The first check that fails is the one reported: the type before the range.
    IsInt(),
    Min(0),
    Max(MAX_QUOTA),
  );
}
