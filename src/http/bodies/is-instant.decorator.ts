import { ValidateBy } from './class-validator.js';
import { readInstant } from '../../common/clock.js';

/** Checks that a parameter is a time that `readInstant` reads. */
export function IsInstant(): PropertyDecorator {
  return ValidateBy({
    name: 'isInstant',
    validator: {
      validate: (value) => typeof value === 'string' && readInstant(value) !== null,
      defaultMessage: () => '$property is a time such as 2026-11-20T08:30:00Z',
    },
  });
}
