import type { NamedListener } from '../../feed/listeners/change-listener.js';
import type { Config } from '../../config/config.js';
import type { WholeSchema } from '../../database/schema/schema.js';
import type {
  ApiParts,
  CoreParts,
  FilledPort,
  ModuleImport,
  RecordTypeSets,
  ZonewrightPlugin,
} from '../../plugins/plugin.js';
import type { NamedHealthCheck } from '../../plugins/health-check.js';
import type { PluginTraces } from '../../plugins/recorded-plugins.js';
import type { Configuration, Loaded, Member } from './loaded.js';
import { PluginParts } from './plugin-parts.js';
import type { BoundPort } from './ports.js';

/** Modules of several plugins, and one filler for each port. */
export interface Core {
  /** The names of those of other teams. */
  readonly plugins: readonly string[];
  readonly modules: readonly ModuleImport[];
  readonly ports: readonly BoundPort[];
}

export interface Application extends Core {
  /** Modules with routes, in the order of their plugins. */
  readonly api: readonly ModuleImport[];
  /** The same of those under /v2. */
  readonly v2: readonly ModuleImport[];
  /** Those that the configuration asks for. */
  readonly extensions: readonly ModuleImport[];
  /** With the names of their plugins in front of their own. */
  readonly healthChecks: readonly NamedHealthCheck[];
  readonly listeners: readonly NamedListener[];
  /** What each plugin of another team brings, a line for each. */
  readonly summaries: readonly string[];
}

/**
 * Plugins that go together, and their configuration: what `compose()` makes and programs run with. Each method loads one
 * kind of what they bring, and throws ConfigError when two plugins bring the same or one cannot be loaded.
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

  /** Whether there are plugins of other teams. */
  get hasOtherPlugins(): boolean {
    return this.parts.others.length > 0;
  }

  /**
   * All tables, whichever plugins a program goes on with.
   * @internal
   */
  async schema(): Promise<WholeSchema> {
    const { joinSchemas } = await import('./joined-schema.js');
    return joinSchemas(await this.parts.schemas());
  }

  /** @internal */
  recordTypes(): Promise<RecordTypeSets> {
    return this.parts.recordTypes();
  }

  /**
   * What plugins of other teams leave in a database.
   * @internal
   */
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

  /**
   * Lets records be read whose type no plugin brings any more; none can be made.
   * @internal
   */
  async keepReading(types: PluginTraces['recordTypes']): Promise<void> {
    if (types.length === 0) return;
    const { formerType } = await import('../../dns/rdata/index.js');
    const { known, supported } = await this.recordTypes();
    for (const { name, code } of types) {
      known.keep(formerType(name, code));
      supported.withhold(code);
    }
  }

  /**
   * What commands work with. No limits hold for an operator.
   * @param of names of the plugins whose services are needed; all when none are given
   * @internal
   */
  async services(of?: readonly string[]): Promise<Core> {
    const core = await this.parts.core(of);
    const filled = filledPorts(core);
    // Tokens have no ports, and need not load what has some.
    const ports = filled.length === 0 ? [] : (await import('./ports.js')).liftLimits(filled);
    return { plugins: this.namesOfOthers, modules: modulesOf(core), ports };
  }

  /**
   * The same for a command that serves others, who are held to their limits.
   * @internal
   */
  async limitedServices(): Promise<Core> {
    const core = await this.parts.core();
    return {
      plugins: this.namesOfOthers,
      modules: modulesOf(core),
      ports: (await import('./ports.js')).joinPorts(filledPorts(core)),
    };
  }

  /** @internal */
  async application(): Promise<Application> {
    const { joinPorts } = await import('./ports.js');
    const { enabledExtensions } = await import('./extensions.js');
    const { joinListeners } = await import('./joined-listeners.js');
    const { assertMetrics, joinHealthChecks } = await import('./watched-plugins.js');
    const core = await this.parts.core();
    const api = await this.parts.api();
    if (this.hasOtherPlugins) (await import('../routes.js')).assertOwnRoutes([...core, ...api]);
    assertMetrics(api);
    return {
      plugins: this.namesOfOthers,
      modules: modulesOf(core),
      ports: joinPorts(filledPorts([...core, ...api])),
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
    const { describeParts } = await import('./described-parts.js');
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

function filledPorts(loaded: readonly Loaded<CoreParts>[]): Loaded<FilledPort>[] {
  return loaded.flatMap(({ plugin, part: { ports = [] } }) => ports.map((port) => ({ plugin, part: port })));
}
