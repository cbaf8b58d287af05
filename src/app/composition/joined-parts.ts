import type { NamedListener } from '../../plugins/change-listener.js';
import {
  type ApiParts,
  type ModuleImport,
  type CoreParts,
  type ZonewrightPlugin,
  type NamedHealthCheck,
  optionsOf,
} from '../../plugins/plugin.js';
import {
  Claims,
  refusal,
  isBuiltIn,
  prefixOf,
  describeUnknown,
  type Loaded,
  type Configuration,
} from './plugin-checks.js';
import type { Option } from '../../config/option.js';
import { INTERFACE_OPTIONS } from '../service.options.js';
import type { Schema } from '../../database/schema/schema.js';
import type { RecordType } from '../../dns/rdata/index.js';
import { tablesOf } from './joined-schema.js';

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

export function joinListeners(loaded: readonly Loaded<ApiParts>[]): NamedListener[] {
  const names = new Claims('change listener');
  return loaded.flatMap(({ plugin, part: { listeners = [] } }) => {
    for (const { name } of listeners) {
      if (!NAME.test(name))
        throw refusal(
          plugin,
          `the change listener ${JSON.stringify(name)}: a name has lower-case letters, digits and hyphens`,
        );
      names.claim(plugin, name);
    }
    return listeners;
  });
}

export function joinHealthChecks(loaded: readonly Loaded<ApiParts>[]): NamedHealthCheck[] {
  const names = new Claims('health check');
  return loaded.flatMap(({ plugin, part: { healthChecks = [] } }) =>
    healthChecks.map((check) => {
      if (!NAME.test(check.name))
        throw refusal(
          plugin,
          `the health check ${JSON.stringify(check.name)}: a name has lower-case letters, digits and hyphens`,
        );
      const name = `${plugin.name}/${check.name}`;
      names.claim(plugin, name);
      return { ...check, name };
    }),
  );
}

/** The conventional subset of Prometheus names. */
const METRIC_NAME = /^[a-z][a-z0-9_]{0,199}$/;

/** @throws ConfigError for a malformed or duplicate name, or one without the prefix of the plugin */
export function assertMetrics(loaded: readonly Loaded<ApiParts>[]): void {
  const names = new Claims('metric');
  for (const { plugin, part } of loaded) {
    if (isBuiltIn(plugin)) continue;
    for (const { name } of part.metrics ?? []) {
      const prefix = prefixOf(plugin);
      if (!METRIC_NAME.test(name) || !name.startsWith(prefix))
        throw refusal(
          plugin,
          `the metric ${JSON.stringify(name)}: a name has lower-case letters, digits and "_", and begins with ${prefix}`,
        );
      names.claim(plugin, name);
    }
  }
}

type Extensions = ReadonlyMap<string, ModuleImport>;

/** @throws ConfigError for an unknown or duplicate name, also while the admin API is off */
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

export interface Parts {
  readonly recordTypes?: readonly RecordType[] | undefined;
  readonly schema?: Schema | undefined;
  readonly core?: CoreParts | undefined;
  readonly api?: ApiParts | undefined;
}

/** For example `record types RACK; ports RecordLimits`. */
export function describeParts(plugin: ZonewrightPlugin, { recordTypes, schema, core, api }: Parts): string {
  const { ports = [], modules = [] } = core ?? {};
  const { ports: apiPorts = [], modules: apiModules = [], v2 = [], adminExtensions, v1Extensions } = api ?? {};
  const { healthChecks = [], metrics = [], listeners = [] } = api ?? {};
  const all: readonly (readonly [kind: string, names: readonly string[]])[] = [
    ['options', Object.values(optionsOf(plugin)).map(({ name }) => name)],
    ['commands', (plugin.commands ?? []).map(({ name }) => name)],
    ['record types', (recordTypes ?? []).map(({ name }) => name)],
    ['tables', schema === undefined ? [] : tablesOf(schema)],
    ['migrations', (schema?.migrations ?? []).map(({ name }) => name)],
    ['ports', [...ports, ...apiPorts].map(({ port }) => port.name)],
    ['modules', [...modules, ...apiModules, ...v2].map(nameOf)],
    ['admin extensions', Object.keys(adminExtensions ?? {})],
    ['v1 extensions', Object.keys(v1Extensions ?? {})],
    ['health checks', healthChecks.map(({ name }) => name)],
    ['metrics', metrics.map(({ name }) => name)],
    ['change listeners', listeners.map(({ name }) => name)],
  ];
  const lists = all.filter(([, names]) => names.length > 0).map(([kind, names]) => `${kind} ${names.join(', ')}`);
  return lists.length === 0 ? 'nothing' : lists.join('; ');
}

function nameOf(imported: NonNullable<CoreParts['modules']>[number]): string {
  return 'module' in imported ? imported.module.name : imported.name;
}
