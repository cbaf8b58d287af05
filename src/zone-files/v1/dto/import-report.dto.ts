import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { DifferenceDto } from '../../../records/v1/difference.mapper.js';
import { REPAIR_KINDS } from '../../import/import-repairs.js';
import type { ImportCounts, ImportRequest } from '../../import/zone-import.service.js';

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

class ImportFindingDto {
  @ApiProperty({ enum: ['warning'] })
  severity!: string;

  @ApiProperty({ example: 'mail.example.org.' })
  name!: string;

  @ApiProperty({ example: 'MX' })
  type!: string;

  @ApiProperty({
    example: 'mx.example.net.example.org. is not in the zone; if mx.example.net. is meant, end the name with a dot.',
  })
  message!: string;

  @ApiProperty({ type: 'integer', example: 7, description: 'The line of the file.' })
  line!: number;
}

/** What an import did. Errors in the file are the `errors` of a refusal instead. */
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
    description: 'What was left out of the file or read otherwise than it says, one for each kind.',
  })
  repairs!: ImportRepairDto[];

  @ApiPropertyOptional({
    type: [ImportFindingDto],
    description: 'Records of the file that hardly mean what they say, at most 100; left out where there are none.',
  })
  findings?: ImportFindingDto[];

  @ApiPropertyOptional({
    type: [DifferenceDto],
    description:
      'With `diff=true`: the records that would change. Ids and times of those that would be new are made up.',
  })
  diff?: DifferenceDto[];
}

export function toImportReportDto({ mode, dryRun }: ImportRequest, counts: ImportCounts): ImportReportDto {
  const { created, updated, unchanged, removed, skipped, repairs } = counts;
  const findings = counts.findings.length === 0 ? {} : { findings: [...counts.findings] };
  return { mode, dry_run: dryRun, created, updated, unchanged, removed, skipped, repairs: [...repairs], ...findings };
}
