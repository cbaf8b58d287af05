import type { DynamicModule, Type } from '@nestjs/common';
import type { NamedListener } from '../feed/listeners/change-listener.js';
import type { Config } from '../config/config.js';
import type { Schema } from '../database/schema/schema.js';
import type { RecordType, RecordTypes } from '../dns/rdata/index.js';
import type { Measured } from '../observability/metric.js';
import type { Command } from './command.js';
import type { NamedHealthCheck } from './health-check.js';
import type { OptionValues, PluginOptions } from './plugin-options.js';

/**
 * A part of the service, ours or of another team. What is cheap to know stands in it as data; what costs time to load
 * stands behind a function, and is loaded by those programs alone that need it.
 */
export interface ZonewrightPlugin<Options extends PluginOptions = PluginOptions> {
  /** Lower-case letters, digits and hyphens. Its section of the configuration is `[plugin:<name>]`. */
  readonly name: string;
  /** The versions of Zonewright that it fits, a range as npm has them: `^1.2`. */
  readonly zonewright: string;
  readonly options?: Options;
  readonly commands?: readonly Command[];
  /** Types beside the standard ones. Names and codes must be free. */
  recordTypes?(): Awaitable<readonly RecordType[]>;
  /** Tables, for whoever opens the database. */
  schema?(): Awaitable<Schema>;
  /** Services, for whoever reads or changes zones: the service and commands. */
  core?(settings: PluginSettings<Options>): Awaitable<CoreParts>;
  /** Interfaces, for the service alone. */
  api?(settings: PluginSettings<Options>): Awaitable<ApiParts>;
}

export type Awaitable<T> = T | Promise<T>;

/** What a plugin is given to make its modules from. */
export interface PluginSettings<Options extends PluginOptions = PluginOptions> {
  readonly config: Config;
  /** The values of its own options. */
  readonly options: OptionValues<Options>;
  /** Loads the record types of all plugins. */
  readonly recordTypes: () => Promise<RecordTypeSets>;
}

/** The record types of all plugins. */
export interface RecordTypeSets {
  /** The types that records may be made of. */
  readonly supported: RecordTypes;
  /** Every type that may be stored, also those that are no longer taken. */
  readonly known: RecordTypes;
}

/** A module of Nest, as `imports` takes it. */
export type ModuleImport = Type | DynamicModule;

/** Services, and what they fill ports with. */
export interface CoreParts {
  /** What they provide is found by adapters and other plugins when they are global. */
  readonly modules?: readonly ModuleImport[];
  readonly ports?: readonly FilledPort[];
}

/** What a plugin adds to the service that listens. */
export interface ApiParts extends CoreParts {
  /** Modules with routes under /v2, for a service that has `enable_api_v2`. */
  readonly v2?: readonly ModuleImport[];
  /** Modules that `enabled_extensions_admin` names, with routes under /admin. */
  readonly adminExtensions?: Readonly<Record<string, ModuleImport>>;
  /** Modules that `enabled_extensions_v1` names, with routes under /v1. */
  readonly v1Extensions?: Readonly<Record<string, ModuleImport>>;
  /** What learns of every change. Their names must be free. */
  readonly listeners?: readonly NamedListener[];
  readonly healthChecks?: readonly NamedHealthCheck[];
  /** What its counters, histograms and gauges show. Names begin with the plugin's and `_`, hyphens written as `_`. */
  readonly metrics?: readonly Measured[];
}

/** A port, which is an abstract class of ours, and the class that answers its question. */
export interface FilledPort {
  readonly port: AbstractClass;
  readonly filler: Type;
  /** The service's own filler is not asked as well. */
  readonly isAlone?: true;
}

/** A port, or a service, by its class. What its constructor takes is the container's business. */
export type AbstractClass<T = object> = abstract new (...parameters: never[]) => T;

/**
 * Nest makes the filler, with whatever the modules of the plugin export. Limits of a plugin hold beside the service's own; of
 * other ports it takes the place of ours.
 */
export function fill<Port extends object>(port: AbstractClass<Port>, filler: Type<Port>): FilledPort {
  return { port, filler };
}

/** The same without the service's own limits: those of the plugin hold alone. */
export function fillAlone<Port extends object>(port: AbstractClass<Port>, filler: Type<Port>): FilledPort {
  return { port, filler, isAlone: true };
}

/** Lets the compiler find out what the options hold. */
export function definePlugin<const Options extends PluginOptions>(plugin: ZonewrightPlugin<Options>): ZonewrightPlugin {
  return plugin;
}
