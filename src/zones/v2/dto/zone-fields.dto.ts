import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from '../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION, MAX_MAILBOX, MAX_TTL } from '../../../common/field-limits.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { IsTexts } from '../../../http/bodies/is-texts.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsAttributes, type SentAttributes } from './is-attributes.decorator.js';
import { IsMasters } from './is-masters.decorator.js';

/** What can be said of a zone, when it is made and later. */
export abstract class ZoneFieldsDto {
  @ApiPropertyOptional({
    example: 'hostmaster@example.org',
    description: 'Of a `PRIMARY` zone, which has to have one.',
  })
  @MayBeAbsent()
  @MaxLength(MAX_MAILBOX)
  @IsString()
  email?: string;

  @ApiPropertyOptional({ type: 'integer', minimum: 0, maximum: MAX_TTL, example: 3600, description: 'Seconds.' })
  @MayBeAbsent()
  @Min(0)
  @Max(MAX_TTL)
  @IsInt()
  ttl?: number;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION, example: 'Our public zone' })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsText()
  description?: string | null;

  @ApiPropertyOptional({
    type: [String],
    description:
      'Of a `SECONDARY` zone, which has to have some: addresses or names of name servers, with or without a port, such as `192.0.2.53:53`.',
  })
  @MayBeAbsent()
  @IsMasters()
  masters?: readonly string[];

  @ApiPropertyOptional({
    type: [String],
    nullable: true,
    example: ['ns1.example.net.', 'ns2.example.net.'],
    description: 'Of a `PRIMARY` zone: NS of the apex in place of the generated ones; `null`: the generated ones.',
  })
  @IsOptional()
  @IsTexts()
  name_servers?: readonly string[] | null;

  @ApiPropertyOptional({ type: 'object', additionalProperties: { type: 'string' }, example: { team: 'web' } })
  @MayBeAbsent()
  @IsAttributes()
  attributes?: SentAttributes;
}
