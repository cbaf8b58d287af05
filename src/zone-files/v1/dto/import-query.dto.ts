import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsIn } from 'class-validator';
import { ServiceError } from '../../../common/service-error.js';
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

  @ApiPropertyOptional({
    enum: BOOLEANS,
    default: 'false',
    description: 'List the records that would change; with `dry_run` only.',
  })
  @MayBeAbsent()
  @IsIn(BOOLEANS)
  diff?: (typeof BOOLEANS)[number];
}

/** @throws ServiceError `invalid_object` where a difference is asked for without a dry run */
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
}: ImportQueryDto): ImportRequest {
  return { mode, dryRun: dry_run === 'true', incomplete: incomplete === 'true' };
}
