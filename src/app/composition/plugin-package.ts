import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { resolve as resolveModule } from 'import-meta-resolve';
import { ConfigError } from '../../config/config-error.js';
import type { ZonewrightPlugin } from '../../plugins/plugin.js';
import { recordFolder } from './plugin-folders.js';

/**
 * The plugins of one package: its default export, which is a plugin or a list of them.
 * @param name of the package, or a path
 * @param directory where it is looked for
 * @throws ConfigError with one line that names the package: it is not there, throws, or exports no plugin
 */
export async function pluginsOf(name: string, directory: string): Promise<readonly ZonewrightPlugin[]> {
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
    // A package is looked for from the folder of the configuration, which may be elsewhere than the service.
    const url = resolveModule(name, pathToFileURL(resolve(directory, 'zonewright.conf')).href);
    assertSameService(name, url);
    return { exported: ((await import(url)) as { default?: unknown }).default, url };
  } catch (error) {
    throw error instanceof ConfigError ? error : refusal(name, `cannot be loaded: ${firstLineOf(error)}`);
  }
}

/** Where the program that runs has what `import 'zonewright'` loads. */
const OWN_INDEX = new URL('../../index.js', import.meta.url).href;

/**
 * A package that finds another copy of the service would extend that one: ports and services are found by their
 * classes.
 */
function assertSameService(name: string, url: string): void {
  const found = indexFoundFrom(url);
  if (found === null || found === OWN_INDEX) return;
  throw refusal(
    name,
    `finds another copy of Zonewright than this one: let zonewright be a peerDependency of it, installed once`,
  );
}

/** `null` where none is found: whoever needs it is told by its own import. */
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
