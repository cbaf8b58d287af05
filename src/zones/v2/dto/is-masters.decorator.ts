import { ValidateBy } from '../../../http/bodies/class-validator.js';

/** Checks that a field is a list of texts; what they say is for the core to judge. */
export function IsMasters(): PropertyDecorator {
  return ValidateBy({
    name: 'isMasters',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
      defaultMessage: () => 'masters is a list of name servers, such as ["192.0.2.53:53"]',
    },
  });
}
