import { createRequire } from 'node:module';
import { type ConfigSource, loadOptions } from '../../config/load-config.js';
import { optionsIn, readTree } from '../../config/option.js';
import { optionsOf, type ZonewrightPlugin } from '../../plugins/plugin.js';
import { Claims, refusal, assertKnownKeys } from './plugin-checks.js';
import { Composition } from './composition.js';
import { BUILT_IN_OPTIONS, BUILT_IN_RULES } from './built-in-options.js';
import { BUILT_IN_PLUGINS } from './built-in-plugins.js';
import { packageVersion } from '../package-version.js';
import { loadPluginPackages } from './plugin-packages.js';

/**
 * Composes the built-in plugins, those of other teams and a configuration. Every program starts here.
 * @throws ConfigError for an invalid configuration, and for a plugin that conflicts with another
 */
export function compose(plugins: readonly ZonewrightPlugin[] = [], source: ConfigSource = {}): Composition {
  assertPlugins(plugins);
  const all = [...BUILT_IN_PLUGINS, ...plugins];
  const added = all.flatMap((plugin) => optionsIn(optionsOf(plugin)));
  const { config, read, refusal } = loadOptions({ options: BUILT_IN_OPTIONS, rules: BUILT_IN_RULES, added }, source);
  return new Composition(
    { config, refusal },
    all.map((plugin) => ({ plugin, options: Object.freeze(readTree(optionsOf(plugin), read)) })),
    source.cwd,
  );
}

/** Like `compose()`, with the plugins of configured packages. @throws ConfigError also for a broken package */
export async function composeConfigured(
  plugins: readonly ZonewrightPlugin[] = [],
  source: ConfigSource = {},
): Promise<Composition> {
  return compose([...plugins, ...(await loadPluginPackages(source))], source);
}

/** @throws ConfigError for the first invalid external plugin */
export function assertPlugins(plugins: readonly ZonewrightPlugin[]): void {
  const ours = BUILT_IN_PLUGINS.map(({ name }) => name);
  const names = new Claims('name', ours);
  for (const plugin of plugins) {
    assertName(plugin);
    assertKnownKeys(plugin, 'plugin', plugin);
    names.claim(plugin, plugin.name);
    assertFits(plugin);
    assertOptions(plugin);
  }
}

const NAME = /^[a-z][a-z0-9-]{0,62}$/;

function assertName(plugin: ZonewrightPlugin): void {
  if (!NAME.test(plugin.name))
    throw refusal(plugin, 'a name has lower-case letters, digits and hyphens, and begins with a letter');
}

function assertFits(plugin: ZonewrightPlugin): void {
  // Single files, and only for external plugins.
  const require = createRequire(import.meta.url);
  const validRange = require('semver/ranges/valid.js') as typeof import('semver').validRange;
  const satisfies = require('semver/functions/satisfies.js') as typeof import('semver').satisfies;
  const range = plugin.zonewright;
  if (validRange(range) === null)
    throw refusal(plugin, `${JSON.stringify(range)} is not a version range; write ^1.2 or ">=1.2 <3"`);
  const version = packageVersion();
  if (!satisfies(version, range, { includePrerelease: true }))
    throw refusal(plugin, `fits Zonewright ${range}, and this is ${version}`);
}

const OPTION_NAME = /^[a-z][a-z0-9_]{0,62}$/;

function assertOptions(plugin: ZonewrightPlugin): void {
  const names = new Claims('option');
  for (const { name, reader, default: value } of optionsIn(optionsOf(plugin))) {
    if (!OPTION_NAME.test(name))
      throw refusal(plugin, `the option ${JSON.stringify(name)}: a name has lower-case letters, digits and "_"`);
    names.claim(plugin, name);
    if (reader.read(value) === undefined) throw refusal(plugin, `the default of the option ${name} is not allowed`);
  }
}
