import { IsIn, IsUUID, MaxLength, MinLength } from '../../../../http/bodies/class-validator.js';
import { Transform } from 'class-transformer';
import { canonicalUuid } from '../../../../common/uuid.js';
import { IsText } from '../../../../http/bodies/is-text.decorator.js';
import { ApiProperty } from '../../../../http/openapi/decorators.js';
import { PartialType } from '../../../../http/openapi/partial-type.js';
import { V2CollectionDto } from '../../../../http/v2/links.dto.js';
import { V2ResourceDto } from '../../../../http/v2/resource.dto.js';
import {
  TSIG_ALGORITHMS,
  TSIG_SCOPES,
  type TsigAlgorithm,
  type TsigKeyEntity,
  type TsigScope,
} from '../../tsig-key.entity.js';
import type { TsigKeyChange, TsigKeyFields } from '../../tsig-keys.service.js';

export class CreateTsigKeyDto {
  @ApiProperty({ minLength: 1, maxLength: 160, example: 'ns1-ns2.example.org.' })
  @MaxLength(160)
  @MinLength(1)
  @IsText()
  name!: string;

  @ApiProperty({ enum: TSIG_ALGORITHMS, example: 'hmac-sha256' })
  @IsIn(TSIG_ALGORITHMS)
  algorithm!: TsigAlgorithm;

  @ApiProperty({
    minLength: 1,
    example: 'c2hhcmVkIGJ5IHR3byBzZXJ2ZXJz',
    maxLength: 255,
    description: 'The secret that the servers share, in base64.',
  })
  @MaxLength(255)
  @MinLength(1)
  @IsText()
  secret!: string;

  @ApiProperty({ enum: TSIG_SCOPES })
  @IsIn(TSIG_SCOPES)
  scope!: TsigScope;

  @ApiProperty({ format: 'uuid', description: 'The zone or pool that the key is for.' })
  @IsUUID('loose')
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (canonicalUuid(value) ?? value) : value))
  resource_id!: string;
}

export class UpdateTsigKeyDto extends PartialType(CreateTsigKeyDto) {}

export class TsigKeyDto extends V2ResourceDto {
  @ApiProperty({ example: 'ns1-ns2.example.org.' })
  name!: string;

  @ApiProperty({ enum: TSIG_ALGORITHMS })
  algorithm!: TsigAlgorithm;

  @ApiProperty()
  secret!: string;

  @ApiProperty({ enum: TSIG_SCOPES })
  scope!: TsigScope;

  @ApiProperty({ format: 'uuid' })
  resource_id!: string;
}

export class TsigKeyListDto extends V2CollectionDto {
  @ApiProperty({ type: [TsigKeyDto] })
  tsigkeys!: TsigKeyDto[];
}

export function fieldsOfTsigKey(key: TsigKeyEntity): Omit<TsigKeyDto, keyof V2ResourceDto> {
  const { name, algorithm, secret, scope, resourceId } = key;
  return { name, algorithm, secret, scope, resource_id: resourceId };
}

export function toTsigKey({ resource_id: resourceId, ...fields }: CreateTsigKeyDto): TsigKeyFields {
  return { ...fields, resourceId };
}

export function toTsigKeyChange({ resource_id: resourceId, ...fields }: UpdateTsigKeyDto): TsigKeyChange {
  return { ...fields, resourceId };
}
