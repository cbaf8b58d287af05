import { IsInt, IsOptional, Max, MaxLength, Min } from '../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION, MAX_TTL } from '../../../common/field-limits.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { IsTexts } from '../../../http/bodies/is-texts.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';

export class CreateRecordSetDto {
  @ApiProperty({ example: 'www.example.org.', description: 'Owner name, absolute: it ends with a dot.' })
  @IsText()
  name!: string;

  @ApiProperty({ example: 'A', description: 'Upper case.' })
  @IsText()
  type!: string;

  @ApiPropertyOptional({
    type: [String],
    example: ['192.0.2.3'],
    description: 'The values, of MX and SRV with their priority first. A set without any is kept, and not served.',
  })
  @MayBeAbsent()
  @IsTexts()
  records?: string[];

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: MAX_TTL,
    example: 3600,
    description: 'Seconds; null: the ttl of the zone.',
  })
  @IsOptional()
  @Max(MAX_TTL)
  @Min(0)
  @IsInt()
  ttl?: number | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION, example: null })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsText()
  description?: string | null;
}
