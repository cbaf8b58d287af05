import type { Config } from '../../config/config.js';
import type { Refusal } from '../../config/option.js';
import { ConfigError } from '../../config/config-error.js';
import type { ZonewrightPlugin, ApiParts, CoreParts } from '../../plugins/plugin.js';
import { BUILT_IN_PLUGINS } from './built-in-plugins.js';
import { nearest } from '../../config/option-table.js';
import type { Schema } from '../../database/schema/schema.js';

export class Claims {
  private readonly owners = new Map<string, ZonewrightPlugin>();

  /** @param kind for the message: `table`, `command` */
  constructor(
    private readonly kind: string,
    private readonly reserved: readonly string[] = [],
  ) {}

  claim(plugin: ZonewrightPlugin, name: string): void {
    const owner = this.owners.get(name);
    const isTaken = owner !== undefined || this.reserved.includes(name);
    if (isTaken) throw refusal(plugin, `the ${this.kind} ${name} ${ownedBy(owner, plugin)}`);
    this.owners.set(name, plugin);
  }
}

function ownedBy(owner: ZonewrightPlugin | undefined, claimant: ZonewrightPlugin): string {
  if (owner === claimant) return 'is there twice';
  return owner === undefined || isBuiltIn(owner) ? 'is taken by Zonewright' : `is taken by the plugin ${owner.name}`;
}

export function refusal({ name }: ZonewrightPlugin, reason: string): ConfigError {
  return new ConfigError(`plugin ${name}: ${reason}`);
}

export function isBuiltIn(plugin: ZonewrightPlugin): boolean {
  return BUILT_IN_PLUGINS.includes(plugin);
}

export function prefixOf({ name }: ZonewrightPlugin): string {
  return `${name.replaceAll('-', '_')}_`;
}

/** Lets the compiler check that every key is listed. */
type KeysOf<T> = Readonly<Record<keyof T, true>>;

const PLUGIN: KeysOf<ZonewrightPlugin> = {
  name: true,
  zonewright: true,
  options: true,
  commands: true,
  recordTypes: true,
  schema: true,
  core: true,
  api: true,
};
const CORE: KeysOf<CoreParts> = { modules: true, ports: true };
const API: KeysOf<ApiParts> = {
  ...CORE,
  v2: true,
  adminExtensions: true,
  v1Extensions: true,
  listeners: true,
  healthChecks: true,
  metrics: true,
};
const SCHEMA: KeysOf<Schema> = { entities: true, migrations: true, contractions: true };

const KNOWN = { plugin: PLUGIN, schema: SCHEMA, core: CORE, api: API } as const;

/** Refuses misspelled keys, which would be ignored otherwise. */
export function assertKnownKeys(plugin: ZonewrightPlugin, kind: keyof typeof KNOWN, part: unknown): void {
  if (typeof part !== 'object' || part === null || isModule(part)) return;
  const known = Object.keys(KNOWN[kind]);
  const unknown = Object.keys(part).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  const hint = meant === undefined ? `known are ${known.join(', ')}` : `did you mean ${meant}?`;
  const owner = kind === 'plugin' ? 'the plugin' : `what ${kind}() returns`;
  throw refusal(plugin, `${owner} has the unknown key ${JSON.stringify(unknown)}; ${hint}`);
}

/** The result of `import()` may export other names too. */
function isModule(part: object): boolean {
  return (part as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === 'Module';
}

export function describeUnknown(kind: string, name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  const hint = meant === undefined ? '' : `did you mean ${meant}? `;
  return `there is no ${kind} "${name}"; ${hint}known: ${known.join(', ')}`;
}

export interface Member {
  readonly plugin: ZonewrightPlugin;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface Loaded<T> {
  readonly plugin: ZonewrightPlugin;
  readonly part: T;
}

/** The refusal is for values that only the plugins prove wrong. */
export interface Configuration {
  readonly config: Config;
  readonly refusal: Refusal;
}
