import { IsOptional, MaxLength, MinLength } from '../../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION } from '../../../../common/field-limits.js';
import { IsText } from '../../../../http/bodies/is-text.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../../../http/openapi/decorators.js';
import { PartialType } from '../../../../http/openapi/partial-type.js';
import { V2CollectionDto } from '../../../../http/v2/links.dto.js';
import { V2ResourceDto } from '../../../../http/v2/resource.dto.js';
import type { BlacklistEntity } from '../../blacklist.entity.js';

export class CreateBlacklistDto {
  @ApiProperty({
    minLength: 1,
    maxLength: 255,
    example: '^www\\.',
    description:
      'A regular expression, looked for anywhere in the name with its final dot, in any case. Look-around and' +
      ' back-references are not possible.',
  })
  @MaxLength(255)
  @MinLength(1)
  @IsText()
  pattern!: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsText()
  description?: string | null;
}

export class UpdateBlacklistDto extends PartialType(CreateBlacklistDto) {}

export class BlacklistDto extends V2ResourceDto {
  @ApiProperty({ example: '^www\\.' })
  pattern!: string;

  @ApiProperty({ type: String, nullable: true })
  description!: string | null;
}

export class BlacklistListDto extends V2CollectionDto {
  @ApiProperty({ type: [BlacklistDto] })
  blacklists!: BlacklistDto[];
}

export function fieldsOfBlacklist({ pattern, description }: BlacklistEntity): Omit<BlacklistDto, keyof V2ResourceDto> {
  return { pattern, description };
}
