import type { Type } from '@nestjs/common';
import { type TransformFnParams, TransformationType } from 'class-transformer';
import { defaultMetadataStorage as transformations } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes } from './class-validator.js';

/** No documented list inside an object is as long. */
export const MAX_ELEMENTS = 1000;

/** What one decorator of class-validator declares of a field. */
export type Declaration = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

type Check = (object: object, value: unknown) => boolean;

/** How the objects in a field are read. */
interface Nested {
  instanceOf(value: unknown): object | null;
}

/** One field of a DTO, as its decorators declare it. */
export class DeclaredField {
  private constructor(
    private readonly name: string,
    private readonly nested: Nested | null,
    private readonly transforms: readonly ((params: TransformFnParams) => unknown)[],
    /** Where one of them says no, nothing is checked. */
    private readonly conditions: readonly Check[],
    private readonly checks: readonly Check[],
  ) {}

  /** `null` where a decorator means more than this class knows. */
  static of(
    dto: Type,
    name: string,
    declarations: readonly Declaration[],
    nested: Nested | null,
  ): DeclaredField | null {
    const transforms = transformations.findTransformMetadatas(dto, name, TransformationType.PLAIN_TO_CLASS);
    if (transforms.some(({ options }) => options.groups !== undefined)) return null;
    // Accessors and methods are no fields.
    if (name in (dto.prototype as object)) return null;
    const conditions: Check[] = [];
    const checks: Check[] = [];
    for (const declaration of declarations) {
      const { type, validateIf } = declaration;
      if (!KNOWN.has(type) || validateIf !== undefined) return null;
      if (type === ValidationTypes.CONDITIONAL_VALIDATION) conditions.push(conditionOf(declaration));
      if (type !== ValidationTypes.CUSTOM_VALIDATION) continue;
      const own = checksOf(dto, declaration);
      if (own === null) return null;
      checks.push(...own);
    }
    return new DeclaredField(
      name,
      nested,
      transforms.map(({ transformFn }) => transformFn),
      conditions,
      checks,
    );
  }

  /** Reads the field of a plain object into an instance; `false` where it is not as declared. */
  read(source: Readonly<Record<string, unknown>>, instance: Record<string, unknown>): boolean {
    const { name: key } = this;
    let value = this.instancesIn(source[key]);
    if (value === OTHER) return false;
    for (const transform of this.transforms)
      value = transform({ value, key, obj: source, type: TransformationType.PLAIN_TO_CLASS, options: {} });
    if (value !== undefined) instance[key] = value;
    return true;
  }

  /** Whether the field of an instance passes all checks. */
  admits(instance: Readonly<Record<string, unknown>>): boolean {
    const value = instance[this.name];
    for (const condition of this.conditions) if (!condition(instance, value)) return true;
    for (const check of this.checks) if (!check(instance, value)) return false;
    return this.nested === null || value === undefined || (typeof value === 'object' && value !== null);
  }

  private instancesIn(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (this.nested === null) return isPlainData(value, 1) ? value : OTHER;
    if (!Array.isArray(value)) return this.nested.instanceOf(value) ?? OTHER;
    if (value.length > MAX_ELEMENTS) return OTHER;
    const instances: object[] = [];
    for (const element of value) {
      const instance = this.nested.instanceOf(element);
      if (instance === null) return OTHER;
      instances.push(instance);
    }
    return instances;
  }
}

/** Lists and objects of texts, numbers and the like, as far as they may be what they are anyway. */
function isPlainData(value: object, depth: number): boolean {
  if (depth > MAX_PLAIN_DEPTH) return false;
  const isPlain = (one: unknown): boolean => typeof one !== 'object' || (one !== null && isPlainData(one, depth + 1));
  if (Array.isArray(value)) return value.length <= MAX_ELEMENTS && value.every(isPlain);
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_PLAIN_FIELDS && entries.every(([key, one]) => !(key in Object.prototype) && isPlain(one))
  );
}

/** Whatever is deeper or has more fields is looked at by the libraries, or refused before that. */
const MAX_PLAIN_DEPTH = 4;
const MAX_PLAIN_FIELDS = 100;

/** What a value that is not as declared becomes. */
const OTHER = Symbol('not as declared');

const KNOWN = new Set([
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
  ValidationTypes.WHITELIST,
]);

function conditionOf({ constraints }: Declaration): Check {
  // class-validator keeps it there.
  const [condition] = constraints as [Check];
  return condition;
}

/** `null` where one of them takes its time. */
function checksOf(dto: Type, { propertyName, constraintCls, constraints, each }: Declaration): Check[] | null {
  const validators = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  if (validators.some((one) => one.async)) return null;
  return validators.map(({ instance }) => (object, value) => {
    const told = { targetName: dto.name, property: propertyName, object, value, constraints };
    const isValid = (one: unknown): boolean => instance.validate(one, told) === true;
    return each && Array.isArray(value) ? value.every(isValid) : isValid(value);
  });
}
