import { ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import { DifferenceDto, type DifferenceToShow, toDifferenceDto } from './difference.form.js';
import { RecordDto, type RecordForm, type RecordToShow } from './record.form.js';

class DoneEntryDto {
  @ApiProperty({ enum: ['create', 'update', 'delete', 'replace'] })
  action!: string;

  @ApiPropertyOptional({ type: RecordDto, description: 'As it is now; of a delete, as it was.' })
  record?: RecordDto;

  @ApiPropertyOptional({ type: [RecordDto], description: 'Of a replace: the records of the set as it is now.' })
  records?: RecordDto[];
}

/** What a domain would have of what quotas limit. */
class UseAfterDto {
  @ApiProperty({ type: 'integer', example: 412, description: 'Records of the domain: the quota `zone_records`.' })
  zone_records!: number;

  @ApiProperty({ type: 'integer', example: 205, description: 'Its record sets: the quota `zone_recordsets`.' })
  zone_recordsets!: number;
}

/** What a change set did, entry by entry (behaviour 9.3). */
export class DoneChangeSetDto {
  @ApiProperty({ type: 'integer', example: 1763600001, description: 'The serial of the domain after it.' })
  serial!: number;

  @ApiProperty({ type: [DoneEntryDto], description: 'In the order sent.' })
  changes!: DoneEntryDto[];

  @ApiPropertyOptional({ description: '`true` when nothing was stored.' })
  dry_run?: boolean;

  @ApiPropertyOptional({
    type: [DifferenceDto],
    description: 'Of a dry run: the records that would become different. Ids and times of new ones are made up.',
  })
  diff?: DifferenceDto[];

  @ApiPropertyOptional({ type: UseAfterDto, description: 'Of a dry run: what the domain would have then.' })
  use?: UseAfterDto;
}

/** What a list of operations did. */
export interface DoneChangeToShow {
  readonly serial: number;
  readonly operations: readonly (
    | { readonly action: 'create' | 'update' | 'delete'; readonly record: RecordToShow }
    /** Of a record set as a whole. */
    | { readonly action: string; readonly records: readonly RecordToShow[] }
  )[];
  /** What it would make of the domain; `null` where it has been done. */
  readonly tried: TriedToShow | null;
}

interface TriedToShow {
  readonly differences: readonly DifferenceToShow[];
  readonly recordCount: number;
  readonly recordSetCount: number;
}

export function toDoneChangeSetDto(
  zoneId: string,
  { serial, operations, tried }: DoneChangeToShow,
  form: RecordForm,
): DoneChangeSetDto {
  const changes = operations.map((done): DoneEntryDto =>
    'records' in done
      ? { action: 'replace', records: done.records.map(form) }
      : { action: done.action, record: form(done.record) },
  );
  if (tried === null) return { serial, changes };
  const { differences, recordCount, recordSetCount } = tried;
  return {
    ...{ serial, changes, dry_run: true },
    diff: differences.map((difference) => toDifferenceDto(zoneId, form, difference)),
    use: { zone_records: recordCount, zone_recordsets: recordSetCount },
  };
}
