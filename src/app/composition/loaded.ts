import type { ZonewrightPlugin } from '../../plugins/plugin.js';

/** What a plugin has brought. */
export interface Loaded<T> {
  readonly plugin: ZonewrightPlugin;
  readonly part: T;
}
