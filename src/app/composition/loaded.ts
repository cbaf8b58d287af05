import type { Config } from '../../config/config.js';
import type { Refusal } from '../../config/cross-checks.js';
import type { ZonewrightPlugin } from '../../plugins/plugin.js';

/** A plugin with the values of its options. */
export interface Member {
  readonly plugin: ZonewrightPlugin;
  readonly options: Readonly<Record<string, unknown>>;
}

/** A part of a plugin, once it is loaded. */
export interface Loaded<T> {
  readonly plugin: ZonewrightPlugin;
  readonly part: T;
}

/** What the service is told, and what refuses a value that only plugins show to be wrong. */
export interface Configuration {
  readonly config: Config;
  readonly refusal: Refusal;
}
