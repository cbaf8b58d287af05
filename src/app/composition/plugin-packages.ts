import { type ConfigSource, readPluginPackages } from '../../config/load-config.js';
import type { ZonewrightPlugin } from '../../plugins/plugin.js';

/**
 * Loads the plugins of the packages that `[plugins] packages` names, in that order.
 * @throws ConfigError with one line for the operator
 */
export async function loadPluginPackages(source: ConfigSource = {}): Promise<ZonewrightPlugin[]> {
  const { packages, directory } = readPluginPackages(source);
  if (packages.length === 0) return [];
  const { pluginsOf } = await import('./plugin-package.js');
  const plugins: ZonewrightPlugin[] = [];
  // One after the other, as they are named: a package may do something when it is loaded.
  for (const name of packages) plugins.push(...(await pluginsOf(name, directory)));
  return plugins;
}
