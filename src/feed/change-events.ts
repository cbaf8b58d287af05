import type { ChangeEntry } from './listeners/change-listener.js';

/** A change as others are told of it: what its adapter makes of it is sent as JSON. */
export interface ChangeEvent {
  /** The same for every delivery of the event. */
  readonly id: string;
  readonly type: string;
}

/** How changes are told, in the words of one interface. */
export interface ChangeEvents {
  /** Names of event types for filters. */
  readonly actions: readonly string[];
  /** The event type of an action of the journal. */
  actionOf(action: string): string;
  eventOf(entry: ChangeEntry): ChangeEvent;
}
