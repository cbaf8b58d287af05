import type { ApiRequest } from '../request.js';

/** The part of an Express router's layer that is used here. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** The methods of the requested path, in upper case and sorted; empty when there is no such path. */
export function allowedMethods(request: ApiRequest): string[] {
  // The types of Express leave out what its router is made of.
  const { stack } = (request.app as unknown as { readonly router: { readonly stack: readonly Layer[] } }).router;
  const methods = new Set<string>();
  for (const layer of stack) {
    if (layer.route === undefined || !matches(layer, request.path)) continue;
    for (const method of Object.keys(layer.route.methods)) methods.add(method.toUpperCase());
  }
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

/** Matching decodes the path, which throws for one that is not valid percent-encoding. */
function matches(layer: Layer, path: string): boolean {
  try {
    return layer.match(path);
  } catch {
    return false;
  }
}
