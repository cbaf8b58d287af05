import { inSection, type Option, optionsIn } from '../config/option.js';
import { exampleSections } from '../config/reference.js';

/** The options of a plugin, by the names that its code has for them. */
export type PluginOptions = Readonly<Record<string, PluginOption<unknown>>>;

/** An option without its section, which is the plugin's own. */
export type PluginOption<T> = Omit<Option<T>, 'section'>;

export type OptionValues<Options extends PluginOptions> = {
  readonly [Name in keyof Options]: Options[Name] extends PluginOption<infer T> ? T : never;
};

/** Two plugins never have an option in common, nor has one an option in common with the service. */
function sectionOf(plugin: string): string {
  return `plugin:${plugin}`;
}

/** The options as they stand in the configuration, by the names that the plugin's code has for them. */
export function optionsOf(plugin: WithOptions): Readonly<Record<string, Option<unknown>>> {
  return inSection(sectionOf(plugin.name), plugin.options ?? {});
}

export interface WithOptions {
  readonly name: string;
  readonly options?: PluginOptions;
}

/** The section of a plugin as `zonewright.conf.example` has ours: every option with its default, commented out. */
export function exampleConfiguration(plugin: WithOptions): string {
  return exampleSections(optionsIn(optionsOf(plugin)));
}
