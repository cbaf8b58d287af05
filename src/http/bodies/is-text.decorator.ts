import { ValidateBy } from './class-validator.js';
import { isText } from '../../common/text.js';

/** Checks that a field is a string that both databases store: well-formed Unicode without NUL. */
export function IsText(): PropertyDecorator {
  return ValidateBy({
    name: 'isText',
    validator: {
      validate: isText,
      defaultMessage: (args) => `${args?.property ?? ''} must be a string of Unicode characters without NUL`,
    },
  });
}
