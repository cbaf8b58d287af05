import type { ChangeEntry, ChangeListener } from '../../src/plugins/change-listener.js';
import { definePlugin, type ZonewrightPlugin } from '../../src/plugins/plugin.js';
import { until } from '../support/until.js';

/** Listener code that runs before the entries count as processed. */
export type Handling = (entries: readonly ChangeEntry[], signal: AbortSignal) => Promise<void> | void;

/** A change listener in the process of the test, as a plugin would bring it. */
export class Receiver {
  /** Processed entries. */
  readonly entries: ChangeEntry[] = [];
  /** How often it was called. */
  calls = 0;

  constructor(
    readonly name: string,
    public handle: Handling = () => undefined,
  ) {}

  /** Entries of one zone. */
  of({ id }: { readonly id: string }): ChangeEntry[] {
    return this.entries.filter(({ zone }) => zone.id === id);
  }

  actionsOf(zone: { readonly id: string }): string[] {
    return this.of(zone).map(({ action }) => action);
  }

  /** Waits for as many entries of the zone. */
  async has(zone: { readonly id: string }, count: number): Promise<ChangeEntry[]> {
    await until(() => this.of(zone).length >= count, 20_000);
    return this.of(zone);
  }

  async take(entries: readonly ChangeEntry[], signal: AbortSignal): Promise<void> {
    this.calls += 1;
    await this.handle(entries, signal);
    this.entries.push(...entries);
  }
}

/** A plugin with these listeners. */
export function bringing(...receivers: readonly Receiver[]): ZonewrightPlugin {
  const listeners = receivers.map((receiver) => ({
    name: receiver.name,
    listener: class implements ChangeListener {
      receive(entries: readonly ChangeEntry[], signal: AbortSignal): Promise<void> {
        return receiver.take(entries, signal);
      }
    },
  }));
  return definePlugin({ name: 'receiving', zonewright: '*', api: () => ({ listeners }) });
}
