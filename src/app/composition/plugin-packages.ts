import { configDirectory, type ConfigSource, readAhead } from '../../config/load-config.js';
import { optionsIn } from '../../config/option.js';
import type { ZonewrightPlugin } from '../../plugins/plugin.js';
import { PLUGINS_OPTIONS } from '../../plugins/plugins.options.js';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolve as resolveModule } from 'import-meta-resolve';
import { ConfigError } from '../../config/config-error.js';
import { recordFolder } from './plugin-folders.js';

/** In the configured order. @throws ConfigError with one line for the operator */
export async function loadPluginPackages(source: ConfigSource = {}): Promise<ZonewrightPlugin[]> {
  // Packages add options to the configuration.
  const packages = readAhead(PLUGINS_OPTIONS.packages, optionsIn(PLUGINS_OPTIONS), source);
  if (packages.length === 0) return [];
  const plugins: ZonewrightPlugin[] = [];
  // In order: a package may have side effects.
  for (const name of packages) plugins.push(...(await pluginsOf(name, configDirectory(source))));
  return plugins;
}

/** @throws ConfigError that names the package: it is missing, throws, or exports no plugin */
async function pluginsOf(name: string, directory: string): Promise<readonly ZonewrightPlugin[]> {
  const { exported, url } = await importDefault(name, directory);
  const plugins: readonly unknown[] = Array.isArray(exported) ? exported : [exported];
  if (!plugins.every(isPlugin))
    throw refusal(name, 'its default export is not a plugin: write "export default definePlugin({ … })"');
  for (const plugin of plugins) recordFolder(plugin.name, url);
  return plugins;
}

async function importDefault(
  name: string,
  directory: string,
): Promise<{ readonly exported: unknown; readonly url: string }> {
  try {
    // The configuration may lie outside the service.
    const url = resolveModule(name, pathToFileURL(resolve(directory, 'zonewright.conf')).href);
    assertSameService(name, url);
    return { exported: ((await import(url)) as { default?: unknown }).default, url };
  } catch (error) {
    throw error instanceof ConfigError ? error : refusal(name, `cannot be loaded: ${firstLineOf(error)}`);
  }
}

/** As loaded by `import 'zonewright'`. */
const OWN_INDEX = new URL('../../index.js', import.meta.url).href;

/** Classes identify ports, so a package must import this copy of the service. */
function assertSameService(name: string, url: string): void {
  const found = indexFoundFrom(url);
  if (found === null || found === OWN_INDEX) return;
  throw refusal(
    name,
    `finds another copy of Zonewright than this one: let zonewright be a peerDependency of it, installed once`,
  );
}

/** `null` if the package finds none. */
function indexFoundFrom(url: string): string | null {
  try {
    return resolveModule('zonewright', url);
  } catch {
    return null;
  }
}

function isPlugin(value: unknown): value is ZonewrightPlugin {
  if (typeof value !== 'object' || value === null) return false;
  const { name, zonewright } = value as Partial<Record<string, unknown>>;
  return typeof name === 'string' && typeof zonewright === 'string';
}

function refusal(name: string, reason: string): ConfigError {
  return new ConfigError(`[plugins] packages: ${name} ${reason}`);
}

function firstLineOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}
