import { NullableText, TextField } from '../../../../http/bodies/dto-fields.js';
import { IsString, MaxLength } from '../../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION } from '../../../../common/field-limits.js';
import { ApiProperty, ApiNullableText } from '../../../../http/openapi/decorators.js';
import { PartialType } from '../../../../http/openapi/partial-type.js';
import { V2CollectionDto } from '../../../../http/v2/collection.js';
import { V2ResourceDto } from '../../../../http/v2/resources.js';
import type { TldEntity, BlacklistEntity } from '../../zone-name-rules.entity.js';

export class CreateTldDto {
  @ApiProperty({
    maxLength: 255,
    example: 'example.org',
    description: 'Without a final dot; it may have several labels.',
  })
  @MaxLength(255)
  @IsString()
  name!: string;

  @NullableText({ maxLength: MAX_DESCRIPTION })
  description?: string | null;
}

export class UpdateTldDto extends PartialType(CreateTldDto) {}

export class TldDto extends V2ResourceDto {
  @ApiProperty({ example: 'example.org' })
  name!: string;

  @ApiNullableText()
  description!: string | null;
}

export class TldListDto extends V2CollectionDto {
  @ApiProperty({ type: [TldDto] })
  tlds!: TldDto[];
}

export function fieldsOfTld({ name, description }: TldEntity): Omit<TldDto, keyof V2ResourceDto> {
  return { name, description };
}

export class CreateBlacklistDto {
  @TextField({
    minLength: 1,
    maxLength: 255,
    example: '^www\\.',
    description:
      'A regular expression, looked for anywhere in the name with its final dot, in any case. Look-around and' +
      ' back-references are not possible.',
  })
  pattern!: string;

  @NullableText({ maxLength: MAX_DESCRIPTION })
  description?: string | null;
}

export class UpdateBlacklistDto extends PartialType(CreateBlacklistDto) {}

export class BlacklistDto extends V2ResourceDto {
  @ApiProperty({ example: '^www\\.' })
  pattern!: string;

  @ApiNullableText()
  description!: string | null;
}

export class BlacklistListDto extends V2CollectionDto {
  @ApiProperty({ type: [BlacklistDto] })
  blacklists!: BlacklistDto[];
}

export function fieldsOfBlacklist({ pattern, description }: BlacklistEntity): Omit<BlacklistDto, keyof V2ResourceDto> {
  return { pattern, description };
}
