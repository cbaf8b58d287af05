import { OptionalChoice, OptionalInstant, OptionalIntegerParameter } from '../../../http/bodies/dto-fields.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { DifferenceDto } from '../../../records/v1/difference.mapper.js';
import { REPAIR_KINDS } from '../../import/import-repairs.js';
import type { ImportCounts, ImportRequest } from '../../import/zone-import.service.js';
import { readInstant } from '../../../common/clock.js';
import { MAX_SERIAL } from '../../../common/field-limits.js';
import { ServiceError } from '../../../common/service-error.js';
import type { HistoryPoint } from '../../../history/history-points.js';
import { type BooleanParameter, IsBooleanParameter } from '../../../http/bodies/field-decorators.js';
import { FindingDto, PlanFindingDto } from '../../../records/v1/done-change-set.mapper.js';
import { FINDS } from '../../../records/v1/query-parameters.mapper.js';
import type { PlanFinding } from '../../../records/plan-findings.js';
import { IsChangeMessage } from '../../../records/v1/change-message.mapper.js';
import type { ZoneFinding } from '../../zone-check.service.js';

class ImportRepairDto {
  @ApiProperty({
    enum: REPAIR_KINDS,
    example: 'soa_owner',
    description: 'What the file has that is not stored as it stands, or lacks; `dnssec_record`: what signing makes.',
  })
  kind!: string;

  @ApiProperty({ type: 'integer', example: 1, description: 'How many lines of the file needed it.' })
  count!: number;

  @ApiProperty({ type: 'integer', example: 2, description: 'The first of these lines.' })
  line!: number;

  @ApiProperty({
    example: 'example.org',
    description: 'What stands there, or its beginning; its type if it was dropped.',
  })
  text!: string;

  @ApiProperty({ description: 'What the import did about it, for people.' })
  message!: string;
}

/** Result of an import. A rejected file has its faults in `errors` instead. */
export class ImportReportDto {
  @ApiProperty({ example: 'merge' })
  mode!: string;

  @ApiProperty({ example: false, description: 'Whether the import was a dry run, which stores nothing.' })
  dry_run!: boolean;

  @ApiProperty({ example: 12 })
  created!: number;

  @ApiProperty({ example: 0, description: 'Records that existed with another ttl.' })
  updated!: number;

  @ApiProperty({ example: 30 })
  unchanged!: number;

  @ApiProperty({ example: 0, description: 'Always 0 when merging.' })
  removed!: number;

  @ApiProperty({
    example: 2,
    description: 'SOA and NS records that the service generates itself.',
  })
  skipped!: number;

  @ApiProperty({
    type: [ImportRepairDto],
    description: 'Lines of the file that were left out or repaired, one entry for each kind.',
  })
  repairs!: ImportRepairDto[];

  @ApiPropertyOptional({
    type: [PlanFindingDto],
    description:
      'Records of the file that hardly mean what they say, at most 100, and with `findings=true` what the check of the domain would find then and does not find now; left out where there are none.',
  })
  findings?: PlanFindingDto[];

  @ApiPropertyOptional({
    type: [DifferenceDto],
    description:
      'With `diff=true`: the records that would change. Ids and times of those that would be new are made up.',
  })
  diff?: DifferenceDto[];
}

export function toImportReportDto(
  { mode, dryRun }: ImportRequest,
  counts: ImportCounts,
  found: readonly PlanFinding[] = counts.findings,
): ImportReportDto {
  const { created, updated, unchanged, removed, skipped, repairs } = counts;
  const findings = found.length === 0 ? {} : { findings: [...found] };
  return { mode, dry_run: dryRun, created, updated, unchanged, removed, skipped, repairs: [...repairs], ...findings };
}

/** The point in history to export; the present by default (behaviour 11.2). */
export class ExportQueryDto {
  @OptionalIntegerParameter({ minimum: 0, maximum: MAX_SERIAL, description: 'The domain as it was at this serial.' })
  serial?: number;

  @OptionalInstant({ description: 'The domain as it was at this time, UTC.', example: '2026-11-20T08:30:00Z' })
  at?: string;

  @IsBooleanParameter('The domain as it is published, with signatures.')
  signed?: BooleanParameter;
}

/** @throws ServiceError `invalid_object` if `serial` or `at` is given as well */
export function asksForSigned({ signed = 'false', serial, at }: ExportQueryDto): boolean {
  if (signed !== 'true') return false;
  if (serial !== undefined || at !== undefined)
    throw ServiceError.ofField(
      'invalid_object',
      'signed',
      'additionalProperties',
      'signed: only the published zone has signatures; leave out serial and at.',
    );
  return true;
}

export function toHistoryPoint({ serial, at }: ExportQueryDto): HistoryPoint | null {
  if (serial !== undefined && at !== undefined)
    throw ServiceError.ofField('invalid_object', 'at', 'additionalProperties', 'Send serial or at, not both.');
  if (serial !== undefined) return { serial };
  const instant = at === undefined ? null : readInstant(at);
  return instant === null ? null : { at: instant };
}

const MODES = ['merge', 'replace'] as const;

export class ImportQueryDto {
  @OptionalChoice({
    enum: MODES,
    description: '`merge` (the default) or `replace`, which also removes the records that the file does not have.',
  })
  mode?: (typeof MODES)[number];

  @IsBooleanParameter('Check and count everything, but store nothing.')
  dry_run?: BooleanParameter;

  @IsBooleanParameter('Import a file although it says that records were left out of it.')
  incomplete?: BooleanParameter;

  @IsBooleanParameter('List the records that would change; with `dry_run` only.')
  diff?: BooleanParameter;

  @IsBooleanParameter(FINDS)
  findings?: BooleanParameter;

  @IsBooleanParameter('Leave out the NS records of the domain itself, such as those of a former provider.')
  skip_name_servers?: BooleanParameter;

  @IsChangeMessage()
  message?: string;
}

export function asksForDifference({ diff = 'false', dry_run = 'false' }: ImportQueryDto): boolean {
  if (diff === 'true' && dry_run !== 'true')
    throw ServiceError.ofField(
      'invalid_object',
      'dry_run',
      'required',
      'diff lists what a dry run would do: send dry_run=true with it.',
    );
  return diff === 'true';
}

export function toImportRequest({
  mode = 'merge',
  dry_run = 'false',
  incomplete = 'false',
  skip_name_servers = 'false',
}: ImportQueryDto): ImportRequest {
  const skipsApexNs = skip_name_servers === 'true';
  return { mode, dryRun: dry_run === 'true', incomplete: incomplete === 'true', skipsApexNs };
}

export class ZoneCheckDto {
  @ApiProperty({ type: [FindingDto], description: 'Name servers refuse a zone that has these.' })
  errors!: FindingDto[];

  @ApiProperty({ type: [FindingDto], description: 'The zone loads, but probably does not work as intended.' })
  warnings!: FindingDto[];
}

export function toZoneCheckDto(findings: readonly ZoneFinding[]): ZoneCheckDto {
  const of = (severity: ZoneFinding['severity']) =>
    findings.filter((finding) => finding.severity === severity).map(({ severity: _, ...finding }) => finding);
  return { errors: of('error'), warnings: of('warning') };
}
