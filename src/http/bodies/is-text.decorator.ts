import { ValidateBy } from 'class-validator';
import { isText } from '../../common/text.js';

/** A string that can be stored: well-formed Unicode without NUL. */
export function IsText(): PropertyDecorator {
  return ValidateBy({
    name: 'isText',
    validator: {
      validate: isText,
      defaultMessage: (args) => `${args?.property ?? ''} must be a string of Unicode characters without NUL`,
    },
  });
}
