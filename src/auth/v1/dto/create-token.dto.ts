import { IsOptional, MaxLength } from 'class-validator';
import { readInstant } from '../../../common/clock.js';
import { MAX_DESCRIPTION } from '../../../common/field-limits.js';
import { IsInstant } from '../../../http/bodies/is-instant.decorator.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { IsTexts } from '../../../http/bodies/is-texts.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import type { NarrowerToken } from '../../tokens/own-tokens.service.js';

const LIST = { type: [String] as [StringConstructor], minItems: 1, maxItems: 100 };

export class CreateTokenDto {
  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION, example: 'certificate of www' })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsText()
  description?: string | null;

  @ApiPropertyOptional({ ...LIST, example: ['member'] })
  @MayBeAbsent()
  @IsTexts()
  roles?: string[];

  @ApiPropertyOptional({ ...LIST, example: ['example.org.'], description: 'The token sees no others.' })
  @MayBeAbsent()
  @IsTexts()
  domains?: string[];

  @ApiPropertyOptional({
    ...LIST,
    example: ['_acme-challenge.*'],
    description: 'Owner names; `*` stands for any characters.',
  })
  @MayBeAbsent()
  @IsTexts()
  names?: string[];

  @ApiPropertyOptional({ ...LIST, example: ['TXT'] })
  @MayBeAbsent()
  @IsTexts()
  types?: string[];

  @ApiPropertyOptional({ ...LIST, example: ['create', 'delete'], description: 'Of `create`, `update` and `delete`.' })
  @MayBeAbsent()
  @IsTexts()
  actions?: string[];

  @ApiPropertyOptional({
    ...LIST,
    example: ['192.0.2.0/24'],
    description: 'Addresses and networks from which it may be used.',
  })
  @MayBeAbsent()
  @IsTexts()
  networks?: string[];

  @ApiPropertyOptional({ type: String, nullable: true, example: '2027-01-31T00:00:00Z' })
  @IsOptional()
  @IsInstant()
  expires_at?: string | null;
}

export function toNarrowerToken(body: CreateTokenDto): NarrowerToken {
  const { description = null, roles, domains, names, types, actions, networks, expires_at = null } = body;
  const restrictions = { domains, names, types, actions, networks };
  return { description, roles, restrictions, expiresAt: expires_at === null ? null : readInstant(expires_at) };
}
