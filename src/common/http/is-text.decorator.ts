import { ValidateBy } from 'class-validator';

/** A string that UTF-8 can carry and both databases store: no NUL, no half of a surrogate pair. */
export function IsText(): PropertyDecorator {
  return ValidateBy({
    name: 'isText',
    validator: {
      validate: isText,
      defaultMessage: (args) => `${args?.property ?? ''} must be a string of Unicode characters without NUL`,
    },
  });
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}
