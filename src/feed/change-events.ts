import type { ChangeEntry } from './listeners/change-listener.js';
import type { PublicationNotice } from './publication-notice.js';

/** A change as others are told of it: what its adapter makes of it is sent as JSON. */
export interface ChangeEvent {
  /** The same for every delivery of the event. */
  readonly id: string;
  readonly type: string;
}

/**
 * What an event depends on beside the entry it tells of. It is kept with an event that is sent later, so that every attempt sends
 * the same octets. Where the words of events change, it gets a field that says which are meant.
 */
export interface EventForm {
  /** `api_base_uri`; `null`: events have paths. */
  readonly baseUri: string | null;
  readonly expiringRecords: boolean;
}

/** How changes, and what becomes of them, are told in the words of one interface. */
export interface ChangeEvents {
  /** Names of event types for filters. */
  readonly actions: readonly string[];
  /** The event type of an action of the journal. */
  actionOf(action: string): string;
  eventOf(entry: ChangeEntry): ChangeEvent;
  /** What a filter calls news of publication. */
  publicationAction(news: PublicationNotice): string;
  publicationEventOf(news: PublicationNotice): ChangeEvent;
}
