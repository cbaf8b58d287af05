import {
  OptionalChoice,
  OptionalInstant,
  OptionalIntegerParameter,
  OptionalText,
} from '../../../http/bodies/dto-fields.js';
import { ApiProperty, ApiPropertyOptional, ApiNullableText } from '../../../http/openapi/decorators.js';
import { PageLinksDto, ListQueryDto } from '../../../http/lists/paging.js';
import { MAX_TTL } from '../../../common/field-limits.js';
import { RecordDto } from '../record.mapper.js';
import { type RecordListPage, RECORD_SORTS } from '../../lists/record-lists.js';
import type { RecordView } from '../../record.repository.js';
import { MaxLength, MinLength } from '../../../http/bodies/class-validator.js';
import {
  IsText,
  type BooleanParameter,
  IsBooleanParameter,
  MayBeAbsent,
} from '../../../http/bodies/field-decorators.js';
import { describeSorts, IsOffset, LONGEST_SEARCHED, sortsOf } from '../../../http/lists/page-list.js';
import { SHOWS_FIELDS } from '../query-parameters.mapper.js';

/** A listed record has two more fields, unless `v1_strict_clients` is set (behaviour 6.6). */
export class ListedRecordDto extends RecordDto {
  @ApiNullableText({ example: 'acme' })
  tenant_id!: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Grows by one with each update.' })
  version!: number;
}

export class RecordCountDto {
  @ApiProperty({ type: 'integer', example: 412, description: 'Of all pages.' })
  total!: number;

  @ApiProperty({ example: true, description: 'If false, there are more than `total`.' })
  total_is_exact!: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { A: 400, MX: 12 },
    description: 'Whatever `type` asks for.',
  })
  by_type!: Readonly<Record<string, number>>;

  @ApiProperty({ example: true, description: 'If false, `by_type` counts only a part, of 10,000 records or more.' })
  by_type_is_exact!: boolean;
}

export class RecordListDto extends PageLinksDto {
  @ApiProperty({ type: [ListedRecordDto] })
  records!: ListedRecordDto[];

  @ApiPropertyOptional({ type: RecordCountDto, description: 'Only with `count=true`.' })
  count?: RecordCountDto;
}

export function toFoundRecords(
  { records, counts }: RecordListPage,
  toDto: (record: RecordView) => RecordDto,
): { readonly records: readonly RecordDto[]; readonly count?: RecordCountDto } {
  const count = counts && {
    total: counts.total,
    total_is_exact: counts.isTotalExact,
    by_type: Object.fromEntries([...counts.byGroup].sort()),
    by_type_is_exact: counts.areGroupsExact,
  };
  return { records: records.map(toDto), ...(count && { count }) };
}

/** Extends the object in place: a copy would cost more than all other work per listed record. */
export function toListedRecordDto(dto: RecordDto, { version }: RecordView, tenantId: string): ListedRecordDto {
  return Object.assign(dto, { tenant_id: tenantId, version });
}

/** Paging and exact filters (behaviour 6.4), and searches (behaviour 6.7). */
export class ListRecordsQueryDto extends ListQueryDto {
  @OptionalText({ description: 'Owner name, in any case.', example: 'www.example.org.' })
  name?: string;

  @OptionalText({ example: 'A,AAAA', description: 'A type, or several with commas between.' })
  type?: string;

  @OptionalText({ example: '192.0.2.3' })
  data?: string;

  @ApiPropertyOptional({
    maxLength: LONGEST_SEARCHED,
    example: 'mail',
    description: 'Text in the name, the data or the description, in any case of ASCII letters.',
  })
  @MayBeAbsent()
  @MaxLength(LONGEST_SEARCHED)
  @MinLength(1)
  @IsText()
  q?: string;

  @OptionalIntegerParameter({ minimum: 0, maximum: MAX_TTL, description: 'A higher TTL, own or of the domain.' })
  ttl_above?: number;

  @OptionalIntegerParameter({ minimum: 1, maximum: MAX_TTL, description: 'A lower TTL, own or of the domain.' })
  ttl_below?: number;

  @OptionalInstant({ example: '2026-11-20T08:30:00Z', description: 'Created or updated then or later.' })
  updated_since?: string;

  @OptionalChoice({ enum: sortsOf(RECORD_SORTS), description: describeSorts(RECORD_SORTS) })
  sort?: string;

  @IsOffset()
  offset?: number;

  @IsBooleanParameter('Count all that are found, also by type.')
  count?: BooleanParameter;

  @IsBooleanParameter(SHOWS_FIELDS)
  fields?: BooleanParameter;
}
