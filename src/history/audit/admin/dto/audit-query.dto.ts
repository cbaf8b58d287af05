import { IsIn, IsUUID, MaxLength } from '../../../../http/bodies/class-validator.js';
import { Transform } from 'class-transformer';
import { IsTenantId } from '../../../../auth/is-tenant-id.decorator.js';
import { canonicalUuid } from '../../../../common/uuid.js';
import { IsInstant } from '../../../../http/bodies/is-instant.decorator.js';
import { IsText } from '../../../../http/bodies/is-text.decorator.js';
import { MayBeAbsent } from '../../../../http/bodies/may-be-absent.decorator.js';
import { IntegerParameter } from '../../../../http/lists/integer-parameter.decorator.js';
import { ApiPropertyOptional } from '../../../../http/openapi/decorators.js';
import { SHOWN_ACTIONS, SHOWN_KINDS } from '../../audit-entry.js';

const MAX_LIMIT = 1000;
/** Of a page. */
export const DEFAULT_LIMIT = 100;
const FORMATS = ['json', 'jsonl'] as const;
const ACTIONS = [...SHOWN_KINDS, ...SHOWN_ACTIONS];

/** Any spelling of a UUID becomes that of the database. */
const CanonicalUuid = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (canonicalUuid(value) ?? value) : value));

/** Paging and filters of the audit (behaviour 14.6). */
export class AuditQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    description: `The highest number of entries: ${DEFAULT_LIMIT} by default, all as JSON lines. A page may have fewer.`,
  })
  @MayBeAbsent()
  @IntegerParameter(1, MAX_LIMIT)
  limit?: number;

  @ApiPropertyOptional({ description: 'The id of the last entry already seen.' })
  @MayBeAbsent()
  @IsText()
  marker?: string;

  @ApiPropertyOptional({ description: 'The tenant that asked, or whose it is.', maxLength: 255, example: 'acme' })
  @MayBeAbsent()
  @IsTenantId()
  tenant_id?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The token that was shown.' })
  @MayBeAbsent()
  @IsUUID()
  @CanonicalUuid()
  token_id?: string;

  @ApiPropertyOptional({ description: 'The user that the credential names.', maxLength: 255, example: 'operator' })
  @MayBeAbsent()
  @MaxLength(255)
  @IsText()
  user?: string;

  @ApiPropertyOptional({ description: 'Of the client, as it is shown.', maxLength: 64, example: '192.0.2.1' })
  @MayBeAbsent()
  @MaxLength(64)
  @IsText()
  address?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The domain; it may be deleted.' })
  @MayBeAbsent()
  @IsUUID()
  @CanonicalUuid()
  domain_id?: string;

  @ApiPropertyOptional({ description: 'The name of the domain, in any case.', example: 'example.org.' })
  @MayBeAbsent()
  @IsText()
  domain?: string;

  @ApiPropertyOptional({ enum: ACTIONS, description: 'What was done, or to what.', example: 'token' })
  @MayBeAbsent()
  @IsIn(ACTIONS)
  action?: string;

  @ApiPropertyOptional({ description: 'Nothing from before this time, UTC.', example: '2026-11-20T08:30:00Z' })
  @MayBeAbsent()
  @IsInstant()
  since?: string;

  @ApiPropertyOptional({ description: 'Nothing from this time on, UTC.', example: '2026-11-21T08:30:00Z' })
  @MayBeAbsent()
  @IsInstant()
  until?: string;

  @ApiPropertyOptional({
    enum: FORMATS,
    description: '`jsonl`: one entry a line, as does `Accept: application/jsonl`.',
  })
  @MayBeAbsent()
  @IsIn(FORMATS)
  format?: (typeof FORMATS)[number];
}
