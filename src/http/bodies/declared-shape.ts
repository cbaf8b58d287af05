import type { Type } from '@nestjs/common';
import { defaultMetadataStorage as transformations } from 'class-transformer/cjs/storage.js';
import { getMetadataStorage, ValidationTypes } from './class-validator.js';
import { DeclaredField, type Declaration } from './declared-field.js';

/**
 * What the decorators of a DTO declare, looked up once. It makes the instances of values that are as declared, at a tenth of
 * what class-transformer and class-validator need, which look everything up for each value. Of other values it says nothing:
 * what is wrong with them is for those two to find.
 */
export class DeclaredShape<T extends object = object> {
  private constructor(
    private readonly dto: Type<T>,
    private readonly fields: ReadonlyMap<string, DeclaredField>,
  ) {}

  /** `null` for a DTO with a decorator that only the two libraries understand. */
  static of<T extends object>(dto: Type<T>): DeclaredShape<T> | null {
    const known = shapes.get(dto);
    // It is kept under its own class.
    if (known !== undefined) return known as DeclaredShape<T> | null;
    // One that contains itself has none: it could be of any depth.
    shapes.set(dto, null);
    const fields = fieldsOf(dto);
    const shape = fields && new DeclaredShape(dto, fields);
    shapes.set(dto, shape);
    return shape;
  }

  /** The instance that `value` is, or `null` where it is not as declared. */
  instanceOf(value: unknown): T | null {
    if (!isPlainObject(value)) return null;
    const instance = new this.dto();
    // Only what the class declares is written.
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

/** The shape of the objects in a field, `null` for a field without any, `undefined` where they have none. */
function nestedIn(dto: Type, name: string, validations: readonly Declaration[]): DeclaredShape | null | undefined {
  const type = transformations.findTypeMetadata(dto, name);
  const isNested = validations.some((one) => one.type === ValidationTypes.NESTED_VALIDATION);
  if (type === undefined && !isNested) return null;
  // Which class it is may depend on the object, and what is no class is converted.
  if (!isNested || type?.typeFunction === undefined || type.typeFunction.length > 0) return undefined;
  if (type.options.discriminator !== undefined) return undefined;
  return DeclaredShape.of(type.typeFunction() as Type) ?? undefined;
}
