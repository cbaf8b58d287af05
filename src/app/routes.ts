import { type DynamicModule, RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA, MODULE_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import type { ApiParts, ModuleImport } from '../plugins/plugin.js';
import { Claims, isBuiltIn, type Loaded } from './composition/plugin-checks.js';

/** Express would use the first of two equal routes. @throws ConfigError for a duplicate route of a plugin */
export function assertOwnRoutes(loaded: readonly Loaded<ApiParts>[]): void {
  const ours = loaded.filter(({ plugin }) => isBuiltIn(plugin)).flatMap(({ part }) => routesOf(part));
  const claims = new Claims('route', ours);
  for (const { plugin, part } of loaded) {
    if (isBuiltIn(plugin)) continue;
    for (const route of new Set(routesOf(part))) claims.claim(plugin, route);
  }
}

/** `GET /v1/domains/:`, without parameter names. */
function routesOf({ modules = [], v2 = [], adminExtensions = {}, v1Extensions = {} }: ApiParts): string[] {
  const roots = [...modules, ...v2, ...Object.values(adminExtensions), ...Object.values(v1Extensions)];
  return [...controllersIn(roots)].flatMap(routesOfController);
}

function controllersIn(imports: readonly ModuleImport[], seen = new Set<ModuleImport>()): Set<Type> {
  const controllers = new Set<Type>();
  for (const imported of imports) {
    if (seen.has(imported)) continue;
    seen.add(imported);
    const declared = 'module' in imported ? imported.module : imported;
    const added: Partial<DynamicModule> = 'module' in imported ? imported : {};
    for (const controller of [...listed(declared, MODULE_METADATA.CONTROLLERS), ...(added.controllers ?? [])])
      // Nest accepts only classes here.
      controllers.add(controller as Type);
    const inner = [...listed(declared, MODULE_METADATA.IMPORTS), ...(added.imports ?? [])];
    for (const controller of controllersIn(inner.filter(isModule), seen)) controllers.add(controller);
  }
  return controllers;
}

function listed(module: Type, key: string): readonly unknown[] {
  return (Reflect.getMetadata(key, module) as readonly unknown[] | undefined) ?? [];
}

/** Skips promises and forward references. */
function isModule(imported: unknown): imported is ModuleImport {
  if (typeof imported === 'function') return true;
  return typeof imported === 'object' && imported !== null && 'module' in imported;
}

function routesOfController(controller: Type): string[] {
  const prototype = controller.prototype as object;
  const handlers = Object.getOwnPropertyNames(prototype)
    .filter((name) => name !== 'constructor')
    .map((name): unknown => Object.getOwnPropertyDescriptor(prototype, name)?.value)
    .filter((handler): handler is () => unknown => typeof handler === 'function');
  return handlers.flatMap((handler) => {
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    if (method === undefined) return [];
    return pathsOf(controller).flatMap((base) =>
      pathsOf(handler).map((path) => `${RequestMethod[method]} ${joined(base, path)}`),
    );
  });
}

function pathsOf(target: object): readonly string[] {
  const path = Reflect.getMetadata(PATH_METADATA, target) as string | readonly string[];
  return typeof path === 'string' ? [path] : path;
}

function joined(base: string, path: string): string {
  const parts = `${base}/${path}`.split('/').filter((part) => part !== '');
  return `/${parts.map((part) => (part.startsWith(':') ? ':' : part)).join('/')}`;
}
