import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import type { DoneChange } from '../../record-changes.js';
import type { DoneOperation } from '../../record-operation.js';
import { RecordDto, toRecordDto } from '../../../http/v1/record.dto.js';

class DoneEntryDto {
  @ApiProperty({ enum: ['create', 'update', 'delete', 'replace'] })
  action!: DoneOperation['action'];

  @ApiPropertyOptional({ type: RecordDto, description: 'As it is now; of a delete, as it was.' })
  record?: RecordDto;

  @ApiPropertyOptional({ type: [RecordDto], description: 'Of a replace: the records of the set as it is now.' })
  records?: RecordDto[];
}

/** What a change set did, entry by entry (behaviour 9.3). */
export class DoneChangeSetDto {
  @ApiProperty({ type: 'integer', example: 1763600001, description: 'The serial of the domain after it.' })
  serial!: number;

  @ApiProperty({ type: [DoneEntryDto], description: 'In the order sent.' })
  changes!: DoneEntryDto[];

  @ApiPropertyOptional({ description: '`true` when nothing was stored.' })
  dry_run?: boolean;
}

export function toDoneChangeSetDto({ serial, operations }: DoneChange, isDryRun: boolean): DoneChangeSetDto {
  const changes = operations.map((done): DoneEntryDto =>
    done.action === 'replace'
      ? { action: done.action, records: done.records.map(toRecordDto) }
      : { action: done.action, record: toRecordDto(done.record) },
  );
  return { serial, changes, ...(isDryRun ? { dry_run: true } : {}) };
}
