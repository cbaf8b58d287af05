import type { DynamicModule, Type } from '@nestjs/common';
import type { NamedListener } from './change-listener.js';
import type { Config } from '../config/config.js';
import type { Schema } from '../database/schema/schema.js';
import type { RecordType, RecordTypes } from '../dns/rdata/index.js';
import type { Measured } from '../observability/metrics.js';
import type { Command } from './command.js';
import { inSection, type Option, optionsIn } from '../config/option.js';
import { exampleSections } from '../config/reference.js';

/**
 * A part of the service, built-in or external. Cheap facts are data; parts that are slow to load are functions, called
 * only by programs that need them.
 */
export interface ZonewrightPlugin<Options extends PluginOptions = PluginOptions> {
  /** Lower-case letters, digits and hyphens. Its section of the configuration is `[plugin:<name>]`. */
  readonly name: string;
  /** The compatible versions of Zonewright, as an npm range: `^1.2`. */
  readonly zonewright: string;
  readonly options?: Options;
  readonly commands?: readonly Command[];
  /** Types in addition to the standard ones. Names and codes must be free. */
  recordTypes?(): Awaitable<readonly RecordType[]>;
  /** Tables, for programs that open the database. */
  schema?(): Awaitable<Schema>;
  /** Services, for programs that read or change zones: the service and commands. */
  core?(settings: PluginSettings<Options>): Awaitable<CoreParts>;
  /** APIs, for the service only. */
  api?(settings: PluginSettings<Options>): Awaitable<ApiParts>;
}

export type Awaitable<T> = T | Promise<T>;

/** Input for the modules of a plugin. */
export interface PluginSettings<Options extends PluginOptions = PluginOptions> {
  readonly config: Config;
  /** The values of the plugin's own options. */
  readonly options: OptionValues<Options>;
  /** Loads the record types of all plugins. */
  readonly recordTypes: () => Promise<RecordTypeSets>;
}

/** The record types of all plugins. */
export interface RecordTypeSets {
  /** The types that new records may have. */
  readonly supported: RecordTypes;
  /** Every type that may be stored, including types no longer supported. */
  readonly known: RecordTypes;
}

/** A Nest module, as in `imports`. */
export type ModuleImport = Type | DynamicModule;

/** Services and port fillers. */
export interface CoreParts {
  /** Adapters and other plugins can inject the exports of global modules. */
  readonly modules?: readonly ModuleImport[];
  readonly ports?: readonly FilledPort[];
}

/** The parts of a plugin in the service. */
export interface ApiParts extends CoreParts {
  /** Modules with routes under /v2, if `enable_api_v2` is set. */
  readonly v2?: readonly ModuleImport[];
  /** Modules that `enabled_extensions_admin` names, with routes under /admin. */
  readonly adminExtensions?: Readonly<Record<string, ModuleImport>>;
  /** Modules that `enabled_extensions_v1` names, with routes under /v1. */
  readonly v1Extensions?: Readonly<Record<string, ModuleImport>>;
  /** Listeners for every change. Their names must be free. */
  readonly listeners?: readonly NamedListener[];
  readonly healthChecks?: readonly NamedHealthCheck[];
  /** Counters, histograms and gauges. Their names begin with the plugin's and `_`, with `_` instead of hyphens. */
  readonly metrics?: readonly Measured[];
}

/** A port, which is an abstract class of the service, and its implementation. */
export interface FilledPort {
  readonly port: AbstractClass;
  readonly filler: Type;
  /** Replaces the service's own filler instead of adding to it. */
  readonly isAlone?: true;
}

/** A port or a service, by its class. The container supplies the constructor's parameters. */
export type AbstractClass<T = object> = abstract new (...parameters: never[]) => T;

/**
 * Fills a port. Nest creates the filler, with the exports of the plugin's modules. Limits of a plugin apply in addition
 * to the service's own; other ports it takes over.
 */
export function fill<Port extends object>(port: AbstractClass<Port>, filler: Type<Port>): FilledPort {
  return { port, filler };
}

/** Like `fill`, without the service's own limits. */
export function fillAlone<Port extends object>(port: AbstractClass<Port>, filler: Type<Port>): FilledPort {
  return { port, filler, isAlone: true };
}

/** Lets the compiler infer the option values. */
export function definePlugin<const Options extends PluginOptions>(plugin: ZonewrightPlugin<Options>): ZonewrightPlugin {
  return plugin;
}

/** A port that checks something the plugin needs. Runs at each `/readyz` request, one check at a time. */
export abstract class HealthCheck {
  /**
   * @param signal aborts after 10 seconds, which counts as failing
   * @throws Error with a message for the operator, shown only in the log
   */
  abstract assertHealthy(signal: AbortSignal): Promise<void>;
}

/** A health check of a plugin. */
export interface NamedHealthCheck {
  /** Lower-case letters, digits and hyphens. `/readyz` and metrics prefix it with the plugin: `acme/backlog`. */
  readonly name: string;
  /** Nest creates it, with the exports of global plugin modules. */
  readonly check: Type<HealthCheck>;
  /** While it fails, `/readyz` is 503, so that no requests are sent here. Other checks are only shown as failing. */
  readonly isEssential?: boolean;
}

/** The options of a plugin, by their names in its code. */
export type PluginOptions = Readonly<Record<string, PluginOption<unknown>>>;

/** An option without its section, which is the plugin's own. */
export type PluginOption<T> = Omit<Option<T>, 'section'>;

export type OptionValues<Options extends PluginOptions> = {
  readonly [Name in keyof Options]: Options[Name] extends PluginOption<infer T> ? T : never;
};

/** Separate sections avoid conflicts between options of plugins and of the service. */
function sectionOf(plugin: string): string {
  return `plugin:${plugin}`;
}

/** The options as in the configuration, by their names in the plugin's code. @internal */
export function optionsOf(plugin: WithOptions): Readonly<Record<string, Option<unknown>>> {
  return inSection(sectionOf(plugin.name), plugin.options ?? {});
}

export interface WithOptions {
  readonly name: string;
  readonly options?: PluginOptions;
}

/** The section of a plugin in the style of `zonewright.conf.example`: every option with its default, commented out. */
export function exampleConfiguration(plugin: WithOptions): string {
  return exampleSections(optionsIn(optionsOf(plugin)));
}
