import {
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from '../../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION, MAX_TTL } from '../../../../common/field-limits.js';
import { IsText } from '../../../../http/bodies/is-text.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../../../http/openapi/decorators.js';
import { V2CollectionDto, V2SelfLinkDto } from '../../../../http/v2/links.dto.js';

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

/** As the original shows one: here there is none. */
export class FloatingIpDto {
  @ApiProperty({ example: 'RegionOne:019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, example: 'host.example.org.' })
  ptrdname!: string | null;

  @ApiProperty({ example: '192.0.2.3' })
  address!: string;

  @ApiProperty({ type: String, nullable: true, example: null })
  description!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 600 })
  ttl!: number | null;

  @ApiProperty({ example: 'ACTIVE' })
  status!: string;

  @ApiProperty({ example: 'NONE' })
  action!: string;

  @ApiProperty({ type: V2SelfLinkDto })
  links!: V2SelfLinkDto;
}

export class FloatingIpListDto extends V2CollectionDto {
  @ApiProperty({ type: [FloatingIpDto], maxItems: 0 })
  floatingips!: readonly FloatingIpDto[];
}
