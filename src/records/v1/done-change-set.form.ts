import { ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import { RecordDto, type RecordForm, type RecordToShow } from './record.form.js';

class DoneEntryDto {
  @ApiProperty({ enum: ['create', 'update', 'delete', 'replace'] })
  action!: string;

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

/** What a list of operations did. */
export interface DoneChangeToShow {
  readonly serial: number;
  readonly operations: readonly (
    | { readonly action: 'create' | 'update' | 'delete'; readonly record: RecordToShow }
    /** Of a record set as a whole. */
    | { readonly action: string; readonly records: readonly RecordToShow[] }
  )[];
}

export function toDoneChangeSetDto(
  { serial, operations }: DoneChangeToShow,
  form: RecordForm,
  isDryRun: boolean,
): DoneChangeSetDto {
  const changes = operations.map((done): DoneEntryDto =>
    'records' in done
      ? { action: 'replace', records: done.records.map(form) }
      : { action: done.action, record: form(done.record) },
  );
  return { serial, changes, ...(isDryRun ? { dry_run: true } : {}) };
}
