import { type BooleanParameter, IsBooleanParameter } from '../../../http/lists/boolean-parameter.decorator.js';

export class ChangeSetQueryDto {
  @IsBooleanParameter('Check everything, but store nothing.')
  dry_run?: BooleanParameter;
}
