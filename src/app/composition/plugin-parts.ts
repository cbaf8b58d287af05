import { type Configuration, type Loaded, type Member, isBuiltIn, refusal, assertKnownKeys } from './plugin-checks.js';
import type { Config } from '../../config/config.js';
import { ConfigError } from '../../config/config-error.js';
import type { Schema } from '../../database/schema/schema.js';
import type { RecordType } from '../../dns/rdata/index.js';
import type {
  ApiParts,
  Awaitable,
  CoreParts,
  PluginSettings,
  RecordTypeSets,
  ZonewrightPlugin,
} from '../../plugins/plugin.js';

/** Loads parts of plugins only for programs that need them. */
export class PluginParts {
  private types: Promise<RecordTypeSets> | null = null;
  private schemasOfAll: Promise<Loaded<Schema>[]> | null = null;
  private typesOfOthers: Promise<Loaded<readonly RecordType[]>[]> | null = null;
  /** External plugins. */
  readonly others: readonly ZonewrightPlugin[];
  private readonly config: Config;

  constructor(
    private readonly members: readonly Member[],
    private readonly configuration: Configuration,
  ) {
    this.config = configuration.config;
    this.others = members.map(({ plugin }) => plugin).filter((plugin) => !isBuiltIn(plugin));
  }

  schemas(): Promise<Loaded<Schema>[]> {
    return (this.schemasOfAll ??= this.load('schema', ({ plugin }) => plugin.schema?.()));
  }

  recordTypes(): Promise<RecordTypeSets> {
    return (this.types ??= this.joinedRecordTypes());
  }

  /** Without the built-in types, which are slow to load. */
  recordTypesOfOthers(): Promise<Loaded<readonly RecordType[]>[]> {
    return (this.typesOfOthers ??= this.load('recordTypes', ({ plugin }) =>
      isBuiltIn(plugin) ? undefined : plugin.recordTypes?.(),
    ));
  }

  /** @param of plugins whose services are needed; all by default */
  core(of?: readonly string[]): Promise<Loaded<CoreParts>[]> {
    return this.load('core', (member) => {
      const isNeeded = of === undefined || of.includes(member.plugin.name);
      return isNeeded ? member.plugin.core?.(this.settingsOf(member)) : undefined;
    });
  }

  api(): Promise<Loaded<ApiParts>[]> {
    return this.load('api', (member) => member.plugin.api?.(this.settingsOf(member)));
  }

  private settingsOf({ options }: Member): PluginSettings {
    return { config: this.config, options, recordTypes: () => this.recordTypes() };
  }

  private async joinedRecordTypes(): Promise<RecordTypeSets> {
    const { joinRecordTypes } = await import('./record-types.js');
    const ours = await this.load('recordTypes', ({ plugin }) =>
      isBuiltIn(plugin) ? plugin.recordTypes?.() : undefined,
    );
    return joinRecordTypes([...ours, ...(await this.recordTypesOfOthers())], this.configuration);
  }

  private async load<T>(kind: PartKind, partOf: PartOf<T>): Promise<Loaded<T>[]> {
    const loaded: Loaded<T>[] = [];
    for (const member of this.members) {
      const part = await loadPart(member, kind, partOf);
      if (part !== undefined) loaded.push({ plugin: member.plugin, part });
    }
    return loaded;
  }
}

type PartKind = 'recordTypes' | 'schema' | 'core' | 'api';
type PartOf<T> = (member: Member) => Awaitable<T> | undefined;

async function loadPart<T>(member: Member, kind: PartKind, partOf: PartOf<T>): Promise<T | undefined> {
  try {
    const part = await partOf(member);
    if (kind !== 'recordTypes' && !isBuiltIn(member.plugin)) assertKnownKeys(member.plugin, kind, part);
    return part;
  } catch (error) {
    if (isBuiltIn(member.plugin) || error instanceof ConfigError) throw error;
    throw refusal(member.plugin, `cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}
