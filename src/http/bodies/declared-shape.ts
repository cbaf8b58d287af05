import type { Type } from '@nestjs/common';
import { defaultMetadataStorage as transformations } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes } from './class-validator.js';
import { type TransformFnParams, TransformationType } from 'class-transformer';

/**
 * Creates DTO instances of valid values ten times as fast as class-transformer and class-validator. For other values,
 * those two libraries find the errors.
 */
export class DeclaredShape<T extends object = object> {
  private constructor(
    private readonly dto: Type<T>,
    private readonly fields: ReadonlyMap<string, DeclaredField>,
  ) {}

  /** `null` for a DTO with a decorator that only the two libraries understand. */
  static of<T extends object>(dto: Type<T>): DeclaredShape<T> | null {
    const known = shapes.get(dto);
    if (known !== undefined) return known as DeclaredShape<T> | null;
    // A recursive DTO has no shape, because its depth is unlimited.
    shapes.set(dto, null);
    const fields = fieldsOf(dto);
    const shape = fields && new DeclaredShape(dto, fields);
    shapes.set(dto, shape);
    return shape;
  }

  instanceOf(value: unknown): T | null {
    if (!isPlainObject(value)) return null;
    const instance = new this.dto();
    const written = instance as Record<string, unknown>;
    for (const key of Object.keys(value)) {
      const field = this.fields.get(key);
      if (field?.read(value, written) !== true) return null;
    }
    for (const field of this.fields.values()) if (!field.admits(written)) return null;
    return instance;
  }
}

const shapes = new WeakMap<Type, DeclaredShape | null>();

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function fieldsOf(dto: Type): ReadonlyMap<string, DeclaredField> | null {
  if (transformations.getExposedMetadatas(dto).length > 0 || transformations.getExcludedMetadatas(dto).length > 0)
    return null;
  const storage = getMetadataStorage();
  const declarations = storage.groupByPropertyName(storage.getTargetValidationMetadatas(dto, '', false, false));
  const fields = new Map<string, DeclaredField>();
  for (const [name, validations] of Object.entries(declarations)) {
    const nested = nestedIn(dto, name, validations);
    const field = nested === undefined ? null : DeclaredField.of(dto, name, validations, nested);
    if (field === null) return null;
    fields.set(name, field);
  }
  return fields;
}

/** Returns `null` for a field without objects, `undefined` for unsupported declarations. */
function nestedIn(dto: Type, name: string, validations: readonly Declaration[]): DeclaredShape | null | undefined {
  const type = transformations.findTypeMetadata(dto, name);
  const isNested = validations.some((one) => one.type === ValidationTypes.NESTED_VALIDATION);
  if (type === undefined && !isNested) return null;
  // The class may depend on the object, or the type may be primitive, which class-transformer converts.
  if (!isNested || type?.typeFunction === undefined || type.typeFunction.length > 0) return undefined;
  if (type.options.discriminator !== undefined) return undefined;
  return DeclaredShape.of(type.typeFunction() as Type) ?? undefined;
}

/** No documented list inside an object is longer. */
export const MAX_ELEMENTS = 1000;

type Declaration = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

type Check = (object: object, value: unknown) => boolean;

interface Nested {
  instanceOf(value: unknown): object | null;
}

class DeclaredField {
  private constructor(
    private readonly name: string,
    private readonly nested: Nested | null,
    private readonly transforms: readonly ((params: TransformFnParams) => unknown)[],
    /** If a condition fails, no check runs. */
    private readonly conditions: readonly Check[],
    private readonly checks: readonly Check[],
  ) {}

  static of(
    dto: Type,
    name: string,
    declarations: readonly Declaration[],
    nested: Nested | null,
  ): DeclaredField | null {
    const transforms = transformations.findTransformMetadatas(dto, name, TransformationType.PLAIN_TO_CLASS);
    if (transforms.some(({ options }) => options.groups !== undefined)) return null;
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

  /** Reads the field of a plain object into an instance. Returns `false` if it is not as declared. */
  read(source: Readonly<Record<string, unknown>>, instance: Record<string, unknown>): boolean {
    const { name: key } = this;
    let value = this.instancesIn(source[key]);
    if (value === OTHER) return false;
    for (const transform of this.transforms)
      value = transform({ value, key, obj: source, type: TransformationType.PLAIN_TO_CLASS, options: {} });
    if (value !== undefined) instance[key] = value;
    return true;
  }

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

function isPlainData(value: object, depth: number): boolean {
  if (depth > MAX_PLAIN_DEPTH) return false;
  const isPlain = (one: unknown): boolean => typeof one !== 'object' || (one !== null && isPlainData(one, depth + 1));
  if (Array.isArray(value)) return value.length <= MAX_ELEMENTS && value.every(isPlain);
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_PLAIN_FIELDS && entries.every(([key, one]) => !(key in Object.prototype) && isPlain(one))
  );
}

/** Beyond these, the libraries read or refuse the value. */
const MAX_PLAIN_DEPTH = 4;
const MAX_PLAIN_FIELDS = 100;

const OTHER = Symbol('not as declared');

const KNOWN = new Set([
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
  ValidationTypes.WHITELIST,
]);

function conditionOf({ constraints }: Declaration): Check {
  // class-validator stores it there.
  const [condition] = constraints as [Check];
  return condition;
}

/** `null` for asynchronous checks. */
function checksOf(dto: Type, { propertyName, constraintCls, constraints, each }: Declaration): Check[] | null {
  const validators = getMetadataStorage().getTargetValidatorConstraints(constraintCls);
  if (validators.some((one) => one.async)) return null;
  return validators.map(({ instance }) => (object, value) => {
    const told = { targetName: dto.name, property: propertyName, object, value, constraints };
    const isValid = (one: unknown): boolean => instance.validate(one, told) === true;
    return each && Array.isArray(value) ? value.every(isValid) : isValid(value);
  });
}
