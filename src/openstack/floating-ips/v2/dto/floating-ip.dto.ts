import { NullableInteger, NullableText } from '../../../../http/bodies/dto-fields.js';
import { IsString, ValidateIf } from '../../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION, MAX_TTL } from '../../../../common/field-limits.js';
import { ApiProperty, ApiNullableText } from '../../../../http/openapi/decorators.js';
import { V2CollectionDto, V2SelfLinkDto } from '../../../../http/v2/collection.js';

export class UpdateFloatingIpDto {
  @ApiNullableText({ example: 'host.example.org.', description: 'Absolute; null removes it.' })
  @ValidateIf((_, value) => value !== null)
  @IsString()
  ptrdname!: string | null;

  @NullableText({ maxLength: MAX_DESCRIPTION })
  description?: string | null;

  @NullableInteger({ minimum: 0, maximum: MAX_TTL })
  ttl?: number | null;
}

export class FloatingIpDto {
  @ApiProperty({ example: 'RegionOne:019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4' })
  id!: string;

  @ApiNullableText({ example: 'host.example.org.' })
  ptrdname!: string | null;

  @ApiProperty({ example: '192.0.2.3' })
  address!: string;

  @ApiNullableText({ example: null })
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
