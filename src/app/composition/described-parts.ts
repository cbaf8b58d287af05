import type { Schema } from '../../database/schema/schema.js';
import type { RecordType } from '../../dns/rdata/index.js';
import { optionsOf } from '../../plugins/plugin-options.js';
import type { ApiParts, CoreParts, ZonewrightPlugin } from '../../plugins/plugin.js';
import { tablesOf } from './joined-schema.js';

/** The parts of one plugin, as far as it has them. */
export interface Parts {
  readonly recordTypes?: readonly RecordType[] | undefined;
  readonly schema?: Schema | undefined;
  readonly core?: CoreParts | undefined;
  readonly api?: ApiParts | undefined;
}

/** Everything that a plugin brings, in one line for the log: `record types RACK; ports RecordLimits`. */
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
