import type { Config } from '../config/config.js';
import { ConfigError } from '../config/config-error.js';
import type { Schema } from '../database/schema.js';
import type {
  ApiParts,
  Awaitable,
  CoreParts,
  FilledPort,
  ModuleImport,
  PluginSettings,
  RecordTypeSets,
  ZonewrightPlugin,
} from '../plugins/plugin.js';
import { Claims, isOurs, refusal } from './claims.js';

/** A plugin with the values of its options. */
export interface Member {
  readonly plugin: ZonewrightPlugin;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Modules of several plugins, and one filler for each port. */
export interface Core {
  readonly modules: readonly ModuleImport[];
  readonly ports: readonly FilledPort[];
}

export interface Application extends Core {
  /** Modules with routes, in the order of their plugins. */
  readonly api: readonly ModuleImport[];
  /** The same of those under /v2. */
  readonly v2: readonly ModuleImport[];
  readonly adminExtensions: Extensions;
  readonly v1Extensions: Extensions;
}

export type Extensions = ReadonlyMap<string, ModuleImport>;

/**
 * Plugins that go together, and their configuration. Each method loads one kind of what they bring, and throws
 * ConfigError when two plugins bring the same or one cannot be loaded.
 */
export class Composition {
  private types: Promise<RecordTypeSets> | null = null;

  constructor(
    readonly config: Config,
    private readonly members: readonly Member[],
  ) {}

  /** All tables, whichever plugins a program goes on with. */
  async schema(): Promise<Schema> {
    const { joinSchemas } = await import('./joined-schema.js');
    return joinSchemas(await this.load(({ plugin }) => plugin.schema?.()));
  }

  recordTypes(): Promise<RecordTypeSets> {
    return (this.types ??= this.loadRecordTypes());
  }

  /**
   * What commands work with. No limits hold for an operator.
   * @param of names of the plugins whose services are needed; all when none are given
   */
  async services(of?: readonly string[]): Promise<Core> {
    const core = await this.loadCore(of);
    const filled = filledPorts(core);
    // Tokens have no ports, and need not load what has some.
    const ports = filled.length === 0 ? [] : (await import('./ports.js')).liftLimits(filled);
    return { modules: modulesOf(core), ports };
  }

  /** The same for a command that serves others, who are held to their limits. */
  async limitedServices(): Promise<Core> {
    const core = await this.loadCore();
    return { modules: modulesOf(core), ports: (await import('./ports.js')).joinPorts(filledPorts(core)) };
  }

  async application(): Promise<Application> {
    const { joinPorts } = await import('./ports.js');
    const core = await this.loadCore();
    const api = await this.load((member) => member.plugin.api?.(this.settingsOf(member)));
    return {
      modules: modulesOf(core),
      ports: joinPorts(filledPorts([...core, ...api])),
      api: modulesOf(api),
      v2: api.flatMap(({ part: { v2 = [] } }) => v2),
      adminExtensions: joinExtensions('admin extension', api, ({ adminExtensions }) => adminExtensions),
      v1Extensions: joinExtensions('v1 extension', api, ({ v1Extensions }) => v1Extensions),
    };
  }

  private loadCore(of?: readonly string[]): Promise<Loaded<CoreParts>[]> {
    return this.load((member) => {
      const isNeeded = of === undefined || of.includes(member.plugin.name);
      return isNeeded ? member.plugin.core?.(this.settingsOf(member)) : undefined;
    });
  }

  private settingsOf({ options }: Member): PluginSettings {
    return { config: this.config, options, recordTypes: () => this.recordTypes() };
  }

  private async loadRecordTypes(): Promise<RecordTypeSets> {
    const { joinRecordTypes } = await import('./record-types.js');
    const brought = await this.load(({ plugin }) => plugin.recordTypes?.());
    return joinRecordTypes(brought, this.config.defaults.recordTypes);
  }

  /** What `partOf` gives of each plugin, one after the other, without those that have none of it. */
  private async load<T>(partOf: (member: Member) => Awaitable<T> | undefined): Promise<Loaded<T>[]> {
    const loaded: Loaded<T>[] = [];
    for (const member of this.members) {
      const part = await loadPart(member, partOf);
      if (part !== undefined) loaded.push({ plugin: member.plugin, part });
    }
    return loaded;
  }
}

/** What a plugin has brought. */
export interface Loaded<T> {
  readonly plugin: ZonewrightPlugin;
  readonly part: T;
}

async function loadPart<T>(
  member: Member,
  partOf: (member: Member) => Awaitable<T> | undefined,
): Promise<T | undefined> {
  try {
    return await partOf(member);
  } catch (error) {
    if (isOurs(member.plugin) || error instanceof ConfigError) throw error;
    throw refusal(member.plugin, `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function modulesOf(loaded: readonly Loaded<CoreParts>[]): ModuleImport[] {
  return loaded.flatMap(({ part: { modules = [] } }) => modules);
}

function filledPorts(loaded: readonly Loaded<CoreParts>[]): Loaded<FilledPort>[] {
  return loaded.flatMap(({ plugin, part: { ports = [] } }) => ports.map((port) => ({ plugin, part: port })));
}

function joinExtensions(
  kind: string,
  loaded: readonly Loaded<ApiParts>[],
  extensionsOf: (part: ApiParts) => Readonly<Record<string, ModuleImport>> | undefined,
): Extensions {
  const names = new Claims(kind);
  const extensions = new Map<string, ModuleImport>();
  for (const { plugin, part } of loaded) {
    for (const [name, module] of Object.entries(extensionsOf(part) ?? {})) {
      names.claim(plugin, name);
      extensions.set(name, module);
    }
  }
  return extensions;
}
