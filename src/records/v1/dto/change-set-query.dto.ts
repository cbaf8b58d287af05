import { type BooleanParameter, IsBooleanParameter } from '../../../http/lists/boolean-parameter.decorator.js';
import { FINDS } from '../plan-findings.mapper.js';
import { SHOWS_FIELDS } from '../shows-fields.decorator.js';

export class ChangeSetQueryDto {
  @IsBooleanParameter('Check everything, but store nothing.')
  dry_run?: BooleanParameter;

  @IsBooleanParameter(FINDS)
  findings?: BooleanParameter;

  @IsBooleanParameter(SHOWS_FIELDS)
  fields?: BooleanParameter;
}
