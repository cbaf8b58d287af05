import { ApiProperty } from '@nestjs/swagger';
import type { ImportCounts, ImportRequest } from '../../zone-import.service.js';

/** What an import did; its faults, had it any, are the `errors` of a refusal. */
export class ImportReportDto {
  @ApiProperty({ example: 'merge' })
  mode!: string;

  @ApiProperty({ example: false, description: 'Whether nothing was stored because the request said so.' })
  dry_run!: boolean;

  @ApiProperty({ example: 12 })
  created!: number;

  @ApiProperty({ example: 0, description: 'Records that were there with another ttl.' })
  updated!: number;

  @ApiProperty({ example: 30 })
  unchanged!: number;

  @ApiProperty({ example: 0, description: 'Always 0 when merging.' })
  removed!: number;

  @ApiProperty({
    example: 2,
    description: "The SOA and the service's own name servers, which the service makes itself.",
  })
  skipped!: number;
}

export function toImportReportDto({ mode, dryRun }: ImportRequest, counts: ImportCounts): ImportReportDto {
  const { created, updated, unchanged, removed, skipped } = counts;
  return { mode, dry_run: dryRun, created, updated, unchanged, removed, skipped };
}
