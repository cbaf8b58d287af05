import { ConfigError } from '../../config/config-error.js';
import type { ZonewrightPlugin } from '../../plugins/plugin.js';
import { BUILT_IN_PLUGINS } from './built-in-plugins.js';

/** Names of one kind, and the plugins that have taken them. */
export class Claims {
  private readonly owners = new Map<string, ZonewrightPlugin>();

  /**
   * @param kind for the message: `table`, `command`
   * @param reserved names that the service has whichever plugins there are
   */
  constructor(
    private readonly kind: string,
    private readonly reserved: readonly string[] = [],
  ) {}

  /** @throws ConfigError when the name is reserved, or when a plugin has taken it before */
  claim(plugin: ZonewrightPlugin, name: string): void {
    const owner = this.owners.get(name);
    const isTaken = owner !== undefined || this.reserved.includes(name);
    if (isTaken) throw refusal(plugin, `the ${this.kind} ${name} ${ownedBy(owner, plugin)}`);
    this.owners.set(name, plugin);
  }
}

function ownedBy(owner: ZonewrightPlugin | undefined, claimant: ZonewrightPlugin): string {
  if (owner === claimant) return 'is there twice';
  return owner === undefined || isBuiltIn(owner) ? 'is taken by Zonewright' : `is taken by the plugin ${owner.name}`;
}

/** The one line that refuses a plugin. */
export function refusal({ name }: ZonewrightPlugin, reason: string): ConfigError {
  return new ConfigError(`plugin ${name}: ${reason}`);
}

export function isBuiltIn(plugin: ZonewrightPlugin): boolean {
  return BUILT_IN_PLUGINS.includes(plugin);
}

/** What the names of its tables and metrics begin with. */
export function prefixOf({ name }: ZonewrightPlugin): string {
  return `${name.replaceAll('-', '_')}_`;
}
