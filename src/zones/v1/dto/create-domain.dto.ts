import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsInt, IsOptional, IsString, MaxLength } from '../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION } from '../../../common/field-limits.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { IsTexts } from '../../../http/bodies/is-texts.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { ownApexNs } from '../../apex-ns.js';
import type { NewZone } from '../../zone-fields.js';
import { ReadOnlyFields } from '../read-only-fields.mapper.js';
import { IsNewTtl, NEW_TTL } from '../ttl.mapper.js';

export class CreateDomainDto extends ReadOnlyFields {
  @ApiProperty({ example: 'example.org.', description: 'Absolute: it ends with a dot.' })
  @IsString()
  name!: string;

  @ApiProperty({ example: 'hostmaster@example.org' })
  @IsString()
  email!: string;

  @ApiPropertyOptional({ ...NEW_TTL, description: 'Seconds.' })
  @MayBeAbsent()
  @IsNewTtl()
  ttl?: number;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION, example: 'Our public zone' })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsText()
  description?: string | null;

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    example: ['ns1.example.net.', 'ns2.example.net.'],
    description: 'NS of the apex in place of the generated ones; `null` or left out: the generated ones.',
  })
  @IsOptional()
  @IsTexts()
  name_servers?: readonly string[] | null;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    readOnly: true,
    description: 'Ignored: the service raises it.',
  })
  @IsOptional()
  @IsInt()
  serial?: number | null;
}

export function toNewZone({ name, email, ttl, description, name_servers: names }: CreateDomainDto): NewZone {
  const optional = { ...(ttl !== undefined && { ttl }), ...(description !== undefined && { description }) };
  return { name, email, ...optional, ...(names && { apexNs: ownApexNs(names) }) };
}
