import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { PageLinksDto } from '../../../http/lists/page-links.dto.js';
import { RecordDto } from '../record.mapper.js';
import type { RecordListPage } from '../../lists/record-lists.js';
import type { RecordView } from '../../record.repository.js';

/** A record in a list has two more fields, unless `v1_strict_clients` is set (behaviour 6.6). */
export class ListedRecordDto extends RecordDto {
  @ApiProperty({ type: String, nullable: true, example: 'acme' })
  tenant_id!: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Grows by one with each update.' })
  version!: number;
}

export class RecordCountDto {
  @ApiProperty({ type: 'integer', example: 412, description: 'Of all pages.' })
  total!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    example: { A: 400, MX: 12 },
    description: 'Whatever `type` asks for.',
  })
  by_type!: Readonly<Record<string, number>>;
}

export class RecordListDto extends PageLinksDto {
  @ApiProperty({ type: [ListedRecordDto] })
  records!: ListedRecordDto[];

  @ApiPropertyOptional({ type: RecordCountDto, description: 'Only with `count=true`.' })
  count?: RecordCountDto;
}

/** A page of what was searched for. */
export function toFoundRecords(
  { records, counts }: RecordListPage,
  toDto: (record: RecordView) => RecordDto,
): { readonly records: readonly RecordDto[]; readonly count?: RecordCountDto } {
  const count = counts && { total: counts.total, by_type: Object.fromEntries([...counts.byType].sort()) };
  return { records: records.map(toDto), ...(count && { count }) };
}

/** Extends the object itself: a copy would cost more than the rest of what is done for a listed record. */
export function toListedRecordDto(dto: RecordDto, { version }: RecordView, tenantId: string): ListedRecordDto {
  return Object.assign(dto, { tenant_id: tenantId, version });
}
