import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsInt, IsOptional, IsString, MaxLength } from 'class-validator';
import { MAX_DESCRIPTION } from '../../../common/field-limits.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { ReadOnlyFields } from '../read-only-fields.form.js';
import { IsNewTtl, NEW_TTL } from '../ttl.form.js';
import { IsMailbox } from './is-mailbox.decorator.js';

export class CreateDomainDto extends ReadOnlyFields {
  @ApiProperty({ example: 'example.org.', description: 'Absolute: it ends with a dot.' })
  @IsString()
  name!: string;

  @ApiProperty({ example: 'hostmaster@example.org' })
  @IsMailbox()
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
    type: 'integer',
    nullable: true,
    readOnly: true,
    description: 'Ignored: the service raises it.',
  })
  @IsOptional()
  @IsInt()
  serial?: number | null;
}
