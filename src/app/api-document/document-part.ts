import type { OpenAPIObject } from '@nestjs/swagger';

/** The part of an API document that describes certain paths, with those of its schemas that they lead to. */
export function documentOf(document: OpenAPIObject, has: (path: string) => boolean): OpenAPIObject {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => has(path)));
  const { schemas = {} } = document.components ?? {};
  const needed = namesBehind(paths, schemas);
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => needed.has(name)));
  return { ...document, paths, components: { ...document.components, schemas: kept } };
}

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

/** The names of the schemas that something refers to, itself or through others. */
function namesBehind(part: object, schemas: Readonly<Record<string, object>>): ReadonlySet<string> {
  const names = new Set<string>();
  const waiting: object[] = [part];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    for (const [, name = ''] of JSON.stringify(next).matchAll(REFERENCE)) {
      const schema = schemas[name];
      if (schema === undefined || names.has(name)) continue;
      names.add(name);
      waiting.push(schema);
    }
  return names;
}
