import type { DynamicModule, ModuleMetadata } from '@nestjs/common';
import type { ZonewrightPlugin } from './plugin.js';

/** A part of the service itself: a plugin that fits whatever version it is shipped with. */
export function feature(plugin: Omit<ZonewrightPlugin, 'zonewright'>): ZonewrightPlugin {
  return { ...plugin, zonewright: '*' };
}

/**
 * A module of Nest that is said where it is used.
 * @param name what Nest calls it in its messages
 */
export function moduleOf(name: string, metadata: ModuleMetadata & { readonly global?: true }): DynamicModule {
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- Nest tells modules apart by classes
  const module = class {};
  Object.defineProperty(module, 'name', { value: name });
  return { module, ...metadata };
}
