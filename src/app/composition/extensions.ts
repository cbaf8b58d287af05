import type { Option } from '../../config/option.js';
import type { ApiParts, ModuleImport } from '../../plugins/plugin.js';
import { INTERFACE_OPTIONS } from '../service.options.js';
import { Claims } from './claims.js';
import type { Configuration, Loaded } from './loaded.js';
import { describeUnknown } from './unknown-name.js';

type Extensions = ReadonlyMap<string, ModuleImport>;

/**
 * The extensions that the configuration asks for.
 * @throws ConfigError for a name that two plugins have, and for one that no plugin brings, also while the admin API is off
 */
export function enabledExtensions(
  loaded: readonly Loaded<ApiParts>[],
  { config: { api }, refusal }: Configuration,
): ModuleImport[] {
  const modulesNamed = (option: Option<readonly string[]>, names: readonly string[], known: Extensions) =>
    names.map((name) => {
      const module = known.get(name);
      if (module === undefined) throw refusal(option, describeUnknown('extension', name, [...known.keys()]));
      return module;
    });
  const ofAdmin = joinExtensions('admin extension', loaded, ({ adminExtensions }) => adminExtensions);
  const ofV1 = joinExtensions('v1 extension', loaded, ({ v1Extensions }) => v1Extensions);
  const admin = modulesNamed(INTERFACE_OPTIONS.adminExtensions, api.adminExtensions, ofAdmin);
  const v1 = modulesNamed(INTERFACE_OPTIONS.v1Extensions, api.v1Extensions, ofV1);
  return api.enableAdmin ? [...admin, ...v1] : v1;
}

function joinExtensions(
  kind: string,
  loaded: readonly Loaded<ApiParts>[],
  extensionsOf: (part: ApiParts) => Readonly<Record<string, ModuleImport>> | undefined,
): Extensions {
  const names = new Claims(kind);
  const extensions = new Map<string, ModuleImport>();
  for (const { plugin, part } of loaded) {
    for (const [name, module] of Object.entries(extensionsOf(part) ?? {})) {
      names.claim(plugin, name);
      extensions.set(name, module);
    }
  }
  return extensions;
}
