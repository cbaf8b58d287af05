import type { ChangeEntry } from './listeners/change-listener.js';

/** A change as others are told of it: what its adapter makes of it is sent as JSON. */
export interface ChangeEvent {
  /** The same for every delivery of the event. */
  readonly id: string;
  readonly type: string;
}

/** How changes are told, in the words of one interface. */
export interface ChangeEvents {
  /** What events can be asked for by. */
  readonly actions: readonly string[];
  /** The one of them that an action of the journal is. */
  actionOf(action: string): string;
  eventOf(entry: ChangeEntry): ChangeEvent;
}
