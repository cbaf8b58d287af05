import type { DynamicModule, ModuleMetadata, Type } from '@nestjs/common';
import type { BackgroundService } from '../background/scheduler.js';
import type { EntityClass } from '../database/schema/schema.js';
import type { Transaction } from '../database/transaction.js';
import type { Services } from './command.js';
import type { ApiParts, Awaitable, CoreParts, PluginSettings, ZonewrightPlugin } from './plugin.js';

/** Tasks of `core` run in each program that serves, those of `api` in the service. */
export interface BackgroundParts {
  readonly background?: readonly BackgroundEntry[];
  readonly retention?: readonly RetentionRule[];
}

export interface BackgroundEntry {
  readonly service: Type<BackgroundService>;
  /** Starts the tasks when the program listens there. */
  readonly after?: ListeningOn;
}

export type ListeningOn = 'api' | 'name-server' | 'standby-name-server';

export interface RetentionRule {
  /** Task name in metrics: `audit.retention`. */
  readonly name: string;
  readonly subject: string;
  /** In milliseconds. */
  readonly every: number;
  /** Returns whether more may remain. */
  remove(services: Services, tx: Transaction): Promise<boolean>;
}

/** A feature of the service: a plugin that also declares background work. */
export interface Feature extends Omit<ZonewrightPlugin, 'zonewright' | 'core' | 'api'> {
  /** Its tables, which the baseline migration of the service creates. */
  readonly entities?: () => Awaitable<readonly EntityClass[]>;
  core?(settings: PluginSettings): Awaitable<CoreParts & BackgroundParts>;
  api?(settings: PluginSettings): Awaitable<ApiParts & BackgroundParts>;
}

/** Fits the version that it is shipped with. */
export function feature({ entities, ...plugin }: Feature): ZonewrightPlugin {
  const schema = entities && (async () => ({ entities: await entities(), migrations: [] }));
  return { ...(schema && { schema }), ...plugin, zonewright: '*' };
}

/** @param name for Nest's messages */
export function moduleOf(name: string, metadata: ModuleMetadata & { readonly global?: true }): DynamicModule {
  // eslint-disable-next-line @typescript-eslint/no-extraneous-class -- Nest tells modules apart by classes
  const module = class {};
  Object.defineProperty(module, 'name', { value: name });
  return { module, ...metadata };
}
