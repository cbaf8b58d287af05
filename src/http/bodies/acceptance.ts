import type { Type } from '@nestjs/common';
import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';

/** Whether class-validator finds no fault with an instance of a DTO; `false` also where only it can tell. */
export type Acceptance = (instance: object) => boolean;

interface Property {
  readonly name: string;
  /** It is not looked at unless all of them hold: `IsOptional`, `ValidateIf`. */
  readonly conditions: readonly ((instance: object, value: unknown) => boolean)[];
  readonly checks: readonly ((instance: object, value: unknown) => boolean)[];
}

type ValidationMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Kinds of metadata that are understood here; nested DTOs and promises are not. */
const KINDS: readonly string[] = [
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.WHITELIST,
];

/**
 * class-validator's verdict for the good case, by its own checks: they are looked up once for the DTO, where it looks
 * them up for each instance.
 */
export function acceptanceOf(dto: Type<object>): Acceptance {
  const metadatas = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  if (!metadatas.every(isUnderstood)) return () => false;
  const names = new Set(metadatas.map(({ propertyName }) => propertyName));
  const properties = [...names].map((name) => propertyOf(dto, name, metadatas));
  return (instance) =>
    Object.keys(instance).every((key) => names.has(key)) && properties.every((property) => holds(property, instance));
}

function isUnderstood({ type, each, validateIf }: ValidationMetadata): boolean {
  return KINDS.includes(type) && !each && validateIf === undefined;
}

function propertyOf(dto: Type<object>, name: string, metadatas: readonly ValidationMetadata[]): Property {
  const own = metadatas.filter(({ propertyName }) => propertyName === name);
  const ofType = (type: string): ValidationMetadata[] => own.filter((metadata) => metadata.type === type);
  return {
    name,
    // Of a condition the first constraint is the function that was given to `ValidateIf`.
    conditions: ofType(ValidationTypes.CONDITIONAL_VALIDATION).map(
      ({ constraints }) => constraints[0] as Property['conditions'][number],
    ),
    checks: ofType(ValidationTypes.CUSTOM_VALIDATION).flatMap((metadata) => checksOf(dto, metadata)),
  };
}

function checksOf(dto: Type<object>, { constraintCls, propertyName, constraints }: ValidationMetadata) {
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map(({ instance: constraint }) => (object: object, value: unknown) => {
      const args: ValidationArguments = { targetName: dto.name, property: propertyName, object, value, constraints };
      return constraint.validate(value, args) === true;
    });
}

function holds({ name, conditions, checks }: Property, instance: object): boolean {
  const value = (instance as Record<string, unknown>)[name];
  return (
    !conditions.every((condition) => condition(instance, value)) || checks.every((check) => check(instance, value))
  );
}
