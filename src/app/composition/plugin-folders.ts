import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PluginFolder } from '../../plugins/calls/watchdog-data.js';

const folders: PluginFolder[] = [];

/** Notes whose code it is that a package's file and what lies beside it have. */
export function recordFolder(plugin: string, file: string): void {
  folders.push({ plugin, folder: folderOf(file) });
}

export function pluginFolders(): readonly PluginFolder[] {
  return folders;
}

/** The plugin whose code is the innermost of a stack; `null` where there is none. */
export function pluginIn(stack: string | undefined): string | null {
  for (const line of stack?.split('\n') ?? []) {
    const owner = folders.find(({ folder }) => line.includes(folder));
    if (owner !== undefined) return owner.plugin;
  }
  return null;
}

/**
 * Whose code calls at the moment. Where several plugins of a program lie in one folder, nobody can tell.
 * @param plugins all there are
 */
export function callingPlugin(plugins: readonly string[]): string {
  const [only, ...others] = plugins;
  if (only !== undefined && others.length === 0) return only;
  return pluginIn(new Error().stack) ?? plugins.join(' or ');
}

/** Names the plugin that an error comes from, where that can be told. */
export function namingPlugin(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const plugin = pluginIn(error.stack);
  return plugin === null ? error : new Error(`plugin ${plugin}: ${error.message}`, { cause: error });
}

/** The folder of its package; that of the file itself where the nearest package is the service. */
function folderOf(file: string): string {
  const own = new URL('./', file).href;
  for (let folder = own; ; folder = new URL('../', folder).href) {
    if (import.meta.url.startsWith(folder)) return own;
    if (existsSync(fileURLToPath(new URL('package.json', folder)))) return folder;
  }
}
