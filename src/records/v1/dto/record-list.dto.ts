import { ApiProperty } from '../../../http/openapi/decorators.js';
import { PageLinksDto } from '../../../http/lists/page-links.dto.js';
import { RecordDto } from '../record.form.js';
import type { ShownRecord } from '../../record.repository.js';

/** A record in a list has two more fields, unless `v1_strict_clients` is set (behaviour 6.6). */
export class ListedRecordDto extends RecordDto {
  @ApiProperty({ type: String, nullable: true, example: 'acme' })
  tenant_id!: string | null;

  @ApiProperty({ type: 'integer', example: 1, description: 'Grows by one with each update.' })
  version!: number;
}

export class RecordListDto extends PageLinksDto {
  @ApiProperty({ type: [ListedRecordDto] })
  records!: ListedRecordDto[];
}

/** Extends the object itself: a copy would cost more than the rest of what is done for a listed record. */
export function toListedRecordDto(dto: RecordDto, { version }: ShownRecord, tenantId: string): ListedRecordDto {
  return Object.assign(dto, { tenant_id: tenantId, version });
}
