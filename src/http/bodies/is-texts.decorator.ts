import { ValidateBy } from './class-validator.js';
import { isText } from '../../common/text.js';

/** Checks that a field is a list of strings that both databases store. */
export function IsTexts(): PropertyDecorator {
  return ValidateBy({
    name: 'isTexts',
    validator: {
      validate: (value: unknown) => Array.isArray(value) && value.every(isText),
      defaultMessage: (args) => `${args?.property ?? ''} must be a list of strings of Unicode characters without NUL`,
    },
  });
}
