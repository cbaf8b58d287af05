import { IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateIf } from 'class-validator';
import { MAX_DESCRIPTION, MAX_TTL } from '../../../common/field-limits.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { V2CollectionDto } from '../../../http/v2/links.dto.js';

export class UpdateFloatingIpDto {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'host.example.org.',
    description: 'Absolute; null removes it.',
  })
  @ValidateIf((_, value) => value !== null)
  @IsString()
  ptrdname!: string | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsText()
  description?: string | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, minimum: 0, maximum: MAX_TTL })
  @IsOptional()
  @Min(0)
  @Max(MAX_TTL)
  @IsInt()
  ttl?: number | null;
}

export class FloatingIpListDto extends V2CollectionDto {
  @ApiProperty({ type: 'array', items: {}, maxItems: 0 })
  floatingips!: readonly never[];
}
