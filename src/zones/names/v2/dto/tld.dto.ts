import { IsOptional, IsString, MaxLength } from '../../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION } from '../../../../common/field-limits.js';
import { IsText } from '../../../../http/bodies/is-text.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../../../http/openapi/decorators.js';
import { PartialType } from '../../../../http/openapi/partial-type.js';
import { V2CollectionDto } from '../../../../http/v2/links.dto.js';
import { V2ResourceDto } from '../../../../http/v2/resource.dto.js';
import type { TldEntity } from '../../tld.entity.js';

export class CreateTldDto {
  @ApiProperty({
    maxLength: 255,
    example: 'example.org',
    description: 'Without a final dot; it may have several labels.',
  })
  @MaxLength(255)
  @IsString()
  name!: string;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsText()
  description?: string | null;
}

export class UpdateTldDto extends PartialType(CreateTldDto) {}

export class TldDto extends V2ResourceDto {
  @ApiProperty({ example: 'example.org' })
  name!: string;

  @ApiProperty({ type: String, nullable: true })
  description!: string | null;
}

export class TldListDto extends V2CollectionDto {
  @ApiProperty({ type: [TldDto] })
  tlds!: TldDto[];
}

export function fieldsOfTld({ name, description }: TldEntity): Omit<TldDto, keyof V2ResourceDto> {
  return { name, description };
}
