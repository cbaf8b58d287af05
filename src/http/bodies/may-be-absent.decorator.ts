import { ValidateIf } from 'class-validator';

/** May be left out, but not be null: class-validator's own IsOptional lets both pass. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
