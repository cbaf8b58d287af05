import { configDirectory, type ConfigSource, readAhead } from '../../config/load-config.js';
import { optionsIn } from '../../config/option.js';
import type { ZonewrightPlugin } from '../../plugins/plugin.js';
import { PLUGINS_OPTIONS } from '../../plugins/plugins.options.js';

/**
 * Loads the plugins of the packages that `[plugins] packages` names, in that order.
 * @throws ConfigError with one line for the operator
 */
export async function loadPluginPackages(source: ConfigSource = {}): Promise<ZonewrightPlugin[]> {
  // They bring options of their own, which the whole configuration is read with.
  const packages = readAhead(PLUGINS_OPTIONS.packages, optionsIn(PLUGINS_OPTIONS), source);
  if (packages.length === 0) return [];
  const { pluginsOf } = await import('./plugin-package.js');
  const plugins: ZonewrightPlugin[] = [];
  // One after the other, as they are named: a package may do something when it is loaded.
  for (const name of packages) plugins.push(...(await pluginsOf(name, configDirectory(source))));
  return plugins;
}
