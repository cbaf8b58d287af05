import { nearest } from '../../config/nearest.js';
import type { ApiParts, CoreParts, ZonewrightPlugin } from '../../plugins/plugin.js';
import type { Schema } from '../../database/schema/schema.js';
import { refusal } from './claims.js';

/** Every key of a type, which the compiler holds to it. */
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

/** What a plugin says of itself, and what its functions return. */
const KNOWN = { plugin: PLUGIN, schema: SCHEMA, core: CORE, api: API } as const;

/**
 * What is misspelt would be passed over in silence.
 * @param kind the plugin itself, or the function that has returned the part
 * @throws ConfigError that names the key which was meant
 */
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

/** What `import()` gives may export more than a part. */
function isModule(part: object): boolean {
  return (part as { readonly [Symbol.toStringTag]?: unknown })[Symbol.toStringTag] === 'Module';
}
