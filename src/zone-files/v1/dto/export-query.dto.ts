import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { readInstant } from '../../../common/clock.js';
import { MAX_SERIAL } from '../../../common/field-limits.js';
import { ServiceError } from '../../../common/service-error.js';
import type { HistoryPoint } from '../../../history/history-point.js';
import { IsInstant } from '../../../http/bodies/is-instant.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { type BooleanParameter, IsBooleanParameter } from '../../../http/lists/boolean-parameter.decorator.js';
import { IntegerParameter } from '../../../http/lists/integer-parameter.decorator.js';

/** Which moment of a zone is exported; the present one where nothing is said (behaviour 11.2). */
export class ExportQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_SERIAL,
    description: 'The domain as it was at this serial.',
  })
  @MayBeAbsent()
  @IntegerParameter(0, MAX_SERIAL)
  serial?: number;

  @ApiPropertyOptional({ description: 'The domain as it was at this time, UTC.', example: '2026-11-20T08:30:00Z' })
  @MayBeAbsent()
  @IsInstant()
  at?: string;

  @IsBooleanParameter('The domain as it is published, with signatures.')
  signed?: BooleanParameter;
}

/** @throws ServiceError `invalid_object` where a moment of the past is asked for as well */
export function asksForSigned({ signed = 'false', serial, at }: ExportQueryDto): boolean {
  if (signed !== 'true') return false;
  if (serial !== undefined || at !== undefined)
    throw ServiceError.ofField(
      'invalid_object',
      'signed',
      'additionalProperties',
      'Signatures are kept of what is published alone: leave out serial and at.',
    );
  return true;
}

/** @throws ServiceError `invalid_object` where both are said */
export function toHistoryPoint({ serial, at }: ExportQueryDto): HistoryPoint | null {
  if (serial !== undefined && at !== undefined)
    throw ServiceError.ofField('invalid_object', 'at', 'additionalProperties', 'Send serial or at, not both.');
  if (serial !== undefined) return { serial };
  const instant = at === undefined ? null : readInstant(at);
  return instant === null ? null : { at: instant };
}
