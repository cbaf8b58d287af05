import { ApiNullableText, ApiProperty, ApiPropertyOptional } from '../../http/openapi/decorators.js';
import { FINDING_KINDS, type PlanFinding } from '../plan-findings.js';
import { DifferenceDto, type DifferenceToShow, toDifferenceDto } from './difference.mapper.js';
import type { LabeledSet } from '../../plugins/change-listener.js';
import { LabeledSetStepDto } from '../../zones/v1/domain.mapper.js';
import { RecordDto, type RecordMapper, type RecordToShow } from './record.mapper.js';

class DoneEntryDto {
  @ApiProperty({ enum: ['create', 'update', 'delete', 'replace', 'label'] })
  action!: string;

  @ApiPropertyOptional({ type: RecordDto, description: 'As it is now; of a delete, as it was.' })
  record?: RecordDto;

  @ApiPropertyOptional({
    type: [RecordDto],
    description: 'Of a replace: the records of the set as it is now.',
  })
  records?: RecordDto[];
}

export class ReverseStepDto {
  @ApiProperty({ example: '2.0.192.in-addr.arpa.', description: 'The reverse domain.' })
  domain!: string;

  @ApiProperty({ example: '1.2.0.192.in-addr.arpa.' })
  name!: string;

  @ApiNullableText({ example: null, description: 'The data of its PTR record; `null`: none.' })
  before!: string | null;

  @ApiNullableText({ example: 'www.example.org.' })
  after!: string | null;

  @ApiNullableText({ example: null, description: 'Why the PTR record stays as it is.' })
  problem!: string | null;
}

class UseAfterDto {
  @ApiProperty({ type: 'integer', example: 412, description: 'Records of the domain: the quota `zone_records`.' })
  zone_records!: number;

  @ApiProperty({ type: 'integer', example: 205, description: 'Its record sets: the quota `zone_recordsets`.' })
  zone_recordsets!: number;
}

export class FindingDto {
  @ApiProperty({ example: 'example.org.' })
  name!: string;

  @ApiProperty({ example: 'MX' })
  type!: string;

  @ApiProperty({ example: 'mail.example.org. is in this zone but has no A or AAAA record.' })
  message!: string;

  @ApiProperty({ enum: FINDING_KINDS, example: 'no_address', description: 'Findings that are mended in the same way.' })
  kind!: string;

  @ApiPropertyOptional({
    example: 'mail.example.org.',
    description: 'The value that the kind is about: the name as it was meant, the target without address, a number.',
  })
  text?: string;
}

export class PlanFindingDto extends FindingDto {
  @ApiProperty({
    enum: ['error', 'warning'],
    description: '`error`: name servers refuse the domain. `warning`: it is served, but hardly as it was meant.',
  })
  severity!: string;

  @ApiPropertyOptional({ type: 'integer', example: 7, description: 'Of an import: the line of the file.' })
  line?: number;
}

/** Result of a change set, entry by entry (behaviour 9.3). */
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

  @ApiPropertyOptional({ type: [LabeledSetStepDto], description: 'Of a dry run: the labels that would change.' })
  labels?: LabeledSetStepDto[];

  @ApiPropertyOptional({ type: [ReverseStepDto], description: 'Of a dry run: the PTR records of its addresses.' })
  reverse?: ReverseStepDto[];

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

export function withFindings(plan: DoneChangeSetDto, findings: readonly PlanFinding[] | null): DoneChangeSetDto {
  return { ...plan, findings: findings && [...findings] };
}

export interface DoneChangeToShow {
  readonly serial: number;
  readonly operations: readonly (
    | { readonly action: 'create' | 'update' | 'delete'; readonly record: RecordToShow }
    | { readonly action: string; readonly records: readonly RecordToShow[] }
  )[];
  /** Effect on the domain; `null` unless a dry run. */
  readonly dryRun: DryRunToShow | null;
}

interface DryRunToShow {
  readonly differences: readonly DifferenceToShow[];
  readonly labels: readonly { readonly before: LabeledSet; readonly after: LabeledSet }[];
  readonly recordCount: number;
  readonly recordSetCount: number;
  readonly reverse?: readonly ReverseStepDto[];
}

export function toDoneChangeSetDto(
  zoneId: string,
  { serial, operations, dryRun }: DoneChangeToShow,
  form: RecordMapper,
): DoneChangeSetDto {
  const changes = operations.map((done): DoneEntryDto => {
    if (done.action === 'label set') return { action: 'label' };
    return 'records' in done
      ? { action: 'replace', records: done.records.map(form) }
      : { action: done.action, record: form(done.record) };
  });
  if (dryRun === null) return { serial, changes };
  const { differences, labels, recordCount, recordSetCount, reverse = [] } = dryRun;
  const labeled = labels.map(({ before, after: { name, type, labels: after } }) => {
    return { name, type, before: before.labels, after };
  });
  return {
    ...{ serial, changes, dry_run: true },
    diff: differences.map((difference) => toDifferenceDto(zoneId, form, difference)),
    ...(labeled.length > 0 && { labels: labeled }),
    ...(reverse.length > 0 && { reverse: [...reverse] }),
    use: { zone_records: recordCount, zone_recordsets: recordSetCount },
  };
}
