import { ValidateIf } from './class-validator.js';

/** Lets a field be absent, but not null: class-validator's own IsOptional allows both. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
