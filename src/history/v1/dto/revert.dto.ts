import { OptionalInteger } from '../../../http/bodies/dto-fields.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { MaxLength } from '../../../http/bodies/class-validator.js';
import { ServiceError } from '../../../common/service-error.js';
import {
  IsText,
  MayBeAbsent,
  type BooleanParameter,
  IsBooleanParameter,
} from '../../../http/bodies/field-decorators.js';
import { IsChangeMessage } from '../../../records/v1/change-message.mapper.js';
import { FINDS } from '../../../records/v1/query-parameters.mapper.js';
import type { RevertTarget } from '../../reversions.js';
import { MAX_SERIAL } from '../../../common/field-limits.js';

const LONGEST_ID = 36;

export class RevertDto {
  @OptionalInteger({
    minimum: 0,
    maximum: MAX_SERIAL,
    example: 1763627400,
    description: 'The records become what they were at this serial.',
  })
  serial?: number;

  @ApiPropertyOptional({
    example: '019aa5f4-9c1e-7e51-8000-6f2b1c9d3a70',
    description: 'In place of a serial: what this change made of records is undone, and nothing else.',
  })
  @MayBeAbsent()
  @MaxLength(LONGEST_ID)
  @IsText()
  change_id?: string;

  @IsChangeMessage()
  message?: string;
}

export function toRevertTarget({ serial, change_id }: RevertDto): RevertTarget {
  if (serial !== undefined && change_id === undefined) return { serial };
  if (serial === undefined && change_id !== undefined) return { changeId: change_id };
  throw ServiceError.ofField('invalid_object', 'serial', 'required', 'serial: send either serial or change_id.');
}

export class RevertQueryDto {
  @IsBooleanParameter('Check everything, but store nothing.')
  dry_run?: BooleanParameter;

  @IsBooleanParameter(FINDS)
  findings?: BooleanParameter;
}
