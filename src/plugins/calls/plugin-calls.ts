import type { OnModuleDestroy } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { showFailing } from '../../observability/failing.js';
import { PluginCall } from './plugin-call.js';

/** How long calls into plugins may take, in milliseconds. */
export interface CallLimits {
  /** While a change is being made, and others wait for it. */
  readonly change: number;
  /** While one request waits. */
  readonly request: number;
  /** While nobody waits. */
  readonly background: number;
}

/** The parts of plugins that requests wait for. */
export class PluginCalls implements OnModuleDestroy {
  private readonly parts = new Map<string, PluginCall>();
  private readonly hide: () => void;

  /** @param callingPlugin whose code calls at the moment, as far as that can be told */
  constructor(
    readonly limits: CallLimits,
    private readonly callingPlugin: () => string,
  ) {
    this.hide = showFailing('failing_plugins', () => this.failing());
  }

  /** @param name the port, or what else of the plugin is called */
  partOf(plugin: string, name: string): PluginCall {
    const key = `${plugin}/${name}`;
    const known = this.parts.get(key);
    if (known !== undefined) return known;
    const part = new PluginCall(plugin, name);
    this.parts.set(key, part);
    return part;
  }

  /** The same of the plugin that calls. */
  partOfCaller(name: string): PluginCall {
    return this.partOf(this.callingPlugin(), name);
  }

  onModuleDestroy(): void {
    this.hide();
  }

  private failing(): string[] {
    return [...this.parts.values()].filter(({ isFailing }) => isFailing).map(({ name }) => name);
  }
}

/**
 * Lends a transaction to a plugin for one call: what hangs and goes on later finds it closed, whose connection is somebody
 * else's by then.
 * @param call is over when it resolves, whatever the plugin still does
 */
export async function scopeTransaction<T>(tx: Transaction, call: (scoped: Transaction) => Promise<T>): Promise<T> {
  const scoped = tx.lend();
  try {
    return await call(scoped);
  } finally {
    scoped.end();
  }
}
