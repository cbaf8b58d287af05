import type { NamedListener } from '../../plugins/change-listener.js';
import type { Config } from '../../config/config.js';
import type { WholeSchema } from '../../database/schema/schema.js';
import type {
  ApiParts,
  CoreParts,
  FilledPort,
  ModuleImport,
  RecordTypeSets,
  ZonewrightPlugin,
  NamedHealthCheck,
} from '../../plugins/plugin.js';
import type { BackgroundParts } from '../../plugins/feature.js';
import type { PluginTraces } from '../../plugins/plugin.repository.js';
import { PluginParts } from './plugin-parts.js';
import { type Configuration, type Loaded, type Member } from './plugin-checks.js';
import type { BoundPort } from './ports.js';

export interface Core {
  /** External plugins. */
  readonly plugins: readonly string[];
  readonly modules: readonly ModuleImport[];
  readonly ports: readonly BoundPort[];
  readonly background: Required<BackgroundParts>;
}

export interface Application extends Core {
  /** In the order of their plugins. */
  readonly api: readonly ModuleImport[];
  readonly v2: readonly ModuleImport[];
  readonly extensions: readonly ModuleImport[];
  /** Named `<plugin>/<check>`. */
  readonly healthChecks: readonly NamedHealthCheck[];
  readonly listeners: readonly NamedListener[];
  /** One log line per external plugin. */
  readonly summaries: readonly string[];
}

/**
 * Compatible plugins and their configuration, from `compose()`. Each method loads one kind of part, and throws
 * ConfigError if two plugins conflict or one cannot be loaded.
 */
export class Composition {
  private readonly parts: PluginParts;
  readonly config: Config;

  /** @internal */
  constructor(
    private readonly loaded: Configuration,
    members: readonly Member[],
    /** @internal */
    readonly cwd = process.cwd(),
  ) {
    this.config = loaded.config;
    this.parts = new PluginParts(members, loaded);
  }

  get hasOtherPlugins(): boolean {
    return this.parts.others.length > 0;
  }

  /** @internal */
  async schema(): Promise<WholeSchema> {
    const { joinSchemas } = await import('./joined-schema.js');
    return joinSchemas(await this.parts.schemas());
  }

  /** @internal */
  recordTypes(): Promise<RecordTypeSets> {
    return this.parts.recordTypes();
  }

  /** Tables and record types that external plugins leave in a database. @internal */
  async traces(): Promise<PluginTraces[]> {
    if (!this.hasOtherPlugins) return [];
    const { tablesOf } = await import('./joined-schema.js');
    const [schemas, types] = [await this.parts.schemas(), await this.parts.recordTypesOfOthers()];
    return this.parts.others.map((plugin) => {
      const schema = partOf(plugin, schemas);
      const tables = schema === undefined ? [] : tablesOf(schema);
      return { name: plugin.name, recordTypes: partOf(plugin, types) ?? [], tables };
    });
  }

  /** Lets records of removed plugins be read; none can be created. @internal */
  async keepReading(types: PluginTraces['recordTypes']): Promise<void> {
    if (types.length === 0) return;
    const { formerType } = await import('../../dns/rdata/index.js');
    const { known, supported } = await this.recordTypes();
    for (const { name, code } of types) {
      known.keep(formerType(name, code));
      supported.withhold(code);
    }
  }

  /** For commands: an operator has no limits. @param of plugins whose services are needed; all by default @internal */
  async services(of?: readonly string[]): Promise<Core> {
    const core = await this.parts.core(of);
    const filled = filledPorts(core);
    // Token commands need no ports, and skip the slow import.
    const ports = filled.length === 0 ? [] : (await import('./ports.js')).liftLimits(filled);
    return { plugins: this.namesOfOthers, modules: modulesOf(core), ports, background: backgroundOf(core) };
  }

  /** For a command that serves tenants, whose limits apply. @internal */
  async limitedServices(): Promise<Core> {
    const core = await this.parts.core();
    return {
      plugins: this.namesOfOthers,
      modules: modulesOf(core),
      ports: (await import('./ports.js')).joinPorts(filledPorts(core)),
      background: backgroundOf(core),
    };
  }

  /** @internal */
  async application(): Promise<Application> {
    const { joinPorts } = await import('./ports.js');
    const { assertMetrics, enabledExtensions, joinHealthChecks, joinListeners } = await import('./joined-parts.js');
    const core = await this.parts.core();
    const api = await this.parts.api();
    if (this.hasOtherPlugins) (await import('../routes.js')).assertOwnRoutes([...core, ...api]);
    assertMetrics(api);
    return {
      plugins: this.namesOfOthers,
      modules: modulesOf(core),
      ports: joinPorts(filledPorts([...core, ...api])),
      background: backgroundOf([...core, ...api]),
      api: modulesOf(api),
      v2: api.flatMap(({ part: { v2 = [] } }) => v2),
      extensions: enabledExtensions(api, this.loaded),
      healthChecks: joinHealthChecks(api),
      listeners: joinListeners(api),
      summaries: await this.summaries(core, api),
    };
  }

  private get namesOfOthers(): string[] {
    return this.parts.others.map(({ name }) => name);
  }

  private async summaries(core: readonly Loaded<CoreParts>[], api: readonly Loaded<ApiParts>[]): Promise<string[]> {
    if (!this.hasOtherPlugins) return [];
    const { describeParts } = await import('./joined-parts.js');
    const [schemas, types] = [await this.parts.schemas(), await this.parts.recordTypesOfOthers()];
    return this.parts.others.map((plugin) => {
      const parts = {
        core: partOf(plugin, core),
        api: partOf(plugin, api),
        schema: partOf(plugin, schemas),
        recordTypes: partOf(plugin, types),
      };
      return `plugin ${plugin.name}: ${describeParts(plugin, parts)}`;
    });
  }
}

function partOf<T>(plugin: ZonewrightPlugin, loaded: readonly Loaded<T>[]): T | undefined {
  return loaded.find((each) => each.plugin === plugin)?.part;
}

function modulesOf(loaded: readonly Loaded<CoreParts>[]): ModuleImport[] {
  return loaded.flatMap(({ part: { modules = [] } }) => modules);
}

function backgroundOf(loaded: readonly Loaded<CoreParts & BackgroundParts>[]): Required<BackgroundParts> {
  return {
    background: loaded.flatMap(({ part: { background = [] } }) => background),
    retention: loaded.flatMap(({ part: { retention = [] } }) => retention),
  };
}

function filledPorts(loaded: readonly Loaded<CoreParts>[]): Loaded<FilledPort>[] {
  return loaded.flatMap(({ plugin, part: { ports = [] } }) => ports.map((port) => ({ plugin, part: port })));
}
