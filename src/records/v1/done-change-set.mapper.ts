import { ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import type { PlanFinding } from '../plan-findings.js';
import { DifferenceDto, type DifferenceToShow, toDifferenceDto } from './difference.mapper.js';
import { RecordDto, type RecordMapper, type RecordToShow } from './record.mapper.js';

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

/** What would be found in the domain. */
class PlanFindingDto {
  @ApiProperty({
    enum: ['error', 'warning'],
    description: '`error`: name servers refuse the domain. `warning`: it is served, but hardly as it was meant.',
  })
  severity!: string;

  @ApiProperty({ example: 'example.org.' })
  name!: string;

  @ApiProperty({ example: 'MX' })
  type!: string;

  @ApiProperty({ example: 'mail.example.org. lies in the zone and has no address.' })
  message!: string;
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

  @ApiPropertyOptional({
    type: [PlanFindingDto],
    nullable: true,
    description:
      'Of a dry run with `findings=true`: what the check of the domain would find then and does not find now; `null` where it is not looked for.',
  })
  findings?: PlanFindingDto[] | null;
}

/** A plan with what would be found. */
export function withFindings(plan: DoneChangeSetDto, findings: readonly PlanFinding[] | null): DoneChangeSetDto {
  const shown = findings?.map(({ severity, name, type, message }) => ({ severity, name, type, message })) ?? null;
  return { ...plan, findings: shown };
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
  readonly dryRun: DryRunToShow | null;
}

interface DryRunToShow {
  readonly differences: readonly DifferenceToShow[];
  readonly recordCount: number;
  readonly recordSetCount: number;
}

export function toDoneChangeSetDto(
  zoneId: string,
  { serial, operations, dryRun }: DoneChangeToShow,
  form: RecordMapper,
): DoneChangeSetDto {
  const changes = operations.map((done): DoneEntryDto =>
    'records' in done
      ? { action: 'replace', records: done.records.map(form) }
      : { action: done.action, record: form(done.record) },
  );
  if (dryRun === null) return { serial, changes };
  const { differences, recordCount, recordSetCount } = dryRun;
  return {
    ...{ serial, changes, dry_run: true },
    diff: differences.map((difference) => toDifferenceDto(zoneId, form, difference)),
    use: { zone_records: recordCount, zone_recordsets: recordSetCount },
  };
}
