import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsIn } from '../../../http/bodies/class-validator.js';
import { ServiceError } from '../../../common/service-error.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { type BooleanParameter, IsBooleanParameter } from '../../../http/lists/boolean-parameter.decorator.js';
import { IsChangeMessage } from '../../../records/v1/change-message.mapper.js';
import type { ImportRequest } from '../../import/zone-import.service.js';

const MODES = ['merge', 'replace'] as const;

export class ImportQueryDto {
  @ApiPropertyOptional({
    enum: MODES,
    description: '`merge` (the default) or `replace`, which also removes the records that the file does not have.',
  })
  @MayBeAbsent()
  @IsIn(MODES)
  mode?: (typeof MODES)[number];

  @IsBooleanParameter('Check and count everything, but store nothing.')
  dry_run?: BooleanParameter;

  @IsBooleanParameter('Import a file although it says that records were left out of it.')
  incomplete?: BooleanParameter;

  @IsBooleanParameter('List the records that would change; with `dry_run` only.')
  diff?: BooleanParameter;

  @IsChangeMessage()
  message?: string;
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
