import { ChoiceField, TextField } from '../../../../http/bodies/dto-fields.js';
import { IsUUID } from '../../../../http/bodies/class-validator.js';
import { CanonicalUuid } from '../../../../http/bodies/field-decorators.js';
import { ApiProperty } from '../../../../http/openapi/decorators.js';
import { PartialType } from '../../../../http/openapi/partial-type.js';
import { V2CollectionDto } from '../../../../http/v2/collection.js';
import { V2ResourceDto } from '../../../../http/v2/resources.js';
import {
  TSIG_ALGORITHMS,
  TSIG_SCOPES,
  type TsigAlgorithm,
  type TsigKeyEntity,
  type TsigScope,
} from '../../tsig-key.repository.js';
import type { TsigKeyUpdate, TsigKeyFields } from '../../tsig-keys.service.js';

export class CreateTsigKeyDto {
  @TextField({ minLength: 1, maxLength: 160, example: 'ns1-ns2.example.org.' })
  name!: string;

  @ChoiceField({ enum: TSIG_ALGORITHMS, example: 'hmac-sha256' })
  algorithm!: TsigAlgorithm;

  @TextField({
    minLength: 1,
    example: 'c2hhcmVkIGJ5IHR3byBzZXJ2ZXJz',
    maxLength: 255,
    description: 'The secret that the servers share, in base64.',
  })
  secret!: string;

  @ChoiceField({ enum: TSIG_SCOPES })
  scope!: TsigScope;

  @ApiProperty({ format: 'uuid', description: 'The zone or pool that the key is for.' })
  @IsUUID('loose')
  @CanonicalUuid()
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

export function toTsigKeyUpdate({ resource_id: resourceId, ...fields }: UpdateTsigKeyDto): TsigKeyUpdate {
  return { ...fields, resourceId };
}
