import { IsOptional, MaxLength } from '../../../http/bodies/class-validator.js';
import { readInstant } from '../../../common/clock.js';
import { MAX_DESCRIPTION } from '../../../common/field-limits.js';
import { IsInstant } from '../../../http/bodies/is-instant.decorator.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { IsTexts } from '../../../http/bodies/is-texts.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import type { ScopedToken } from '../../tokens/own-tokens.service.js';
import { LimitsDto, toAskedRestrictions } from '../limits.mapper.js';

export class CreateTokenDto extends LimitsDto {
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION, example: 'certificate of www' })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsText()
  description?: string | null;

  @ApiPropertyOptional({ type: [String], minItems: 1, maxItems: 100, example: ['member'] })
  @MayBeAbsent()
  @IsTexts()
  roles?: string[];

  @ApiPropertyOptional({ type: String, nullable: true, example: '2027-01-31T00:00:00Z' })
  @IsOptional()
  @IsInstant()
  expires_at?: string | null;
}

export function toScopedToken(body: CreateTokenDto): ScopedToken {
  const { description = null, roles, expires_at = null } = body;
  const expiresAt = expires_at === null ? null : readInstant(expires_at);
  return { description, roles, restrictions: toAskedRestrictions(body), expiresAt };
}
