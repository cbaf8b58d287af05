import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsIn } from 'class-validator';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import type { ImportRequest } from '../../zone-import.service.js';

const MODES = ['merge', 'replace'] as const;
const BOOLEANS = ['true', 'false'] as const;

export class ImportQueryDto {
  @ApiPropertyOptional({
    enum: MODES,
    default: 'merge',
    description: '`replace` also removes the records that the file does not have.',
  })
  @MayBeAbsent()
  @IsIn(MODES)
  mode?: (typeof MODES)[number];

  @ApiPropertyOptional({
    enum: BOOLEANS,
    default: 'false',
    description: 'Check and count everything, but store nothing.',
  })
  @MayBeAbsent()
  @IsIn(BOOLEANS)
  dry_run?: (typeof BOOLEANS)[number];

  @ApiPropertyOptional({
    enum: BOOLEANS,
    default: 'false',
    description: 'Take in a file that says that records were left out of it.',
  })
  @MayBeAbsent()
  @IsIn(BOOLEANS)
  incomplete?: (typeof BOOLEANS)[number];
}

export function toImportRequest({
  mode = 'merge',
  dry_run = 'false',
  incomplete = 'false',
}: ImportQueryDto): ImportRequest {
  return { mode, dryRun: dry_run === 'true', incomplete: incomplete === 'true' };
}
