/** A schema, as far as examples are made from it. */
export interface ExampleSchema {
  readonly $ref?: string;
  readonly allOf?: readonly ExampleSchema[];
  readonly oneOf?: readonly ExampleSchema[];
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly readOnly?: boolean;
  readonly items?: ExampleSchema;
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly required?: readonly string[];
}

const ID = '019aa5f4-9c1e-7000-8000-0d5c5bd2a1c4';

/**
 * An example of what a schema describes, from the examples of its fields. Of a request it has the fields that are required
 * and those that have an example; what a client sends as null it can as well leave out.
 */
export function exampleOf(
  schema: ExampleSchema,
  schemas: Readonly<Record<string, ExampleSchema>>,
  isRequest: boolean,
): unknown {
  const inner = (one: ExampleSchema): unknown => exampleOf(one, schemas, isRequest);
  if ('example' in schema) return schema.example;
  if (schema.$ref !== undefined) return inner(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const [part = schema.oneOf?.[0]] = schema.allOf ?? [];
  if (part !== undefined) return inner(part);
  if (schema.enum !== undefined) return schema.enum[0];
  switch (schema.type) {
    case 'array':
      return Object.keys(schema.items ?? {}).length === 0 ? [] : [inner(schema.items ?? {})];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return schema.format === 'uuid' ? ID : 'text';
    default:
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name, field]) => isShown(field, schema.required?.includes(name) ?? false, isRequest))
          .map(([name, field]) => [name, inner(field)]),
      );
  }
}

function isShown(field: ExampleSchema, isRequired: boolean, isRequest: boolean): boolean {
  if (isRequired) return true;
  if (isRequest && field.readOnly === true) return false;
  return 'example' in field && !(isRequest && field.example === null);
}
