import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PluginFolder } from '../../plugins/calls/watchdog-data.js';

const folders: PluginFolder[] = [];

export function recordFolder(plugin: string, file: string): void {
  folders.push({ plugin, folder: folderOf(file) });
}

export function pluginFolders(): readonly PluginFolder[] {
  return folders;
}

/** The plugin of the innermost stack frame that belongs to one. */
export function pluginIn(stack: string | undefined): string | null {
  for (const line of stack?.split('\n') ?? []) {
    const owner = folders.find(({ folder }) => line.includes(folder));
    if (owner !== undefined) return owner.plugin;
  }
  return null;
}

/** Plugins in one folder cannot be told apart: returns all names. @param plugins all external plugins */
export function callingPlugin(plugins: readonly string[]): string {
  const [only, ...others] = plugins;
  if (only !== undefined && others.length === 0) return only;
  return pluginIn(new Error().stack) ?? plugins.join(' or ');
}

export function namingPlugin(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const plugin = pluginIn(error.stack);
  return plugin === null ? error : new Error(`plugin ${plugin}: ${error.message}`, { cause: error });
}

/** The folder of the package, or of the file itself if the nearest package is the service. */
function folderOf(file: string): string {
  const own = new URL('./', file).href;
  for (let folder = own; ; folder = new URL('../', folder).href) {
    if (import.meta.url.startsWith(folder)) return own;
    if (existsSync(fileURLToPath(new URL('package.json', folder)))) return folder;
  }
}
