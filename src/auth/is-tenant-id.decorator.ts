import { ValidateBy } from '../http/bodies/class-validator.js';
import { isText } from '../common/text.js';
import { isTenantId } from './tenant-id.js';

/** Checks that a field is the id of a tenant, whether or not there is one. */
export function IsTenantId(): PropertyDecorator {
  return ValidateBy({
    name: 'isTenantId',
    validator: {
      validate: (value: unknown) => isText(value) && isTenantId(value),
      defaultMessage: (args) => `${args?.property ?? ''} is the id of a project: 1 to 255 characters`,
    },
  });
}
