import type { ChangeEntry } from '../plugins/change-listener.js';
import type { Instant } from '../common/clock.js';

export interface ChangeEvent {
  /** Identical for every delivery of the event. */
  readonly id: string;
  readonly type: string;
}

/** Stored with queued events, so that each attempt sends the same octets. A format change would add a version. */
export interface EventForm {
  /** `api_base_uri`; `null`: events have paths. */
  readonly baseUri: string | null;
  readonly expiringRecords: boolean;
}

export interface ChangeEvents {
  /** Names of event types for filters. */
  readonly actions: readonly string[];
  actionOf(action: string): string;
  eventOf(entry: ChangeEntry): ChangeEvent;
  publicationAction(news: PublicationNotice): string;
  publicationEventOf(news: PublicationNotice): ChangeEvent;
}

export type PublicationKind = 'published' | 'lagging';

/** A change has reached every name server, or lags (behaviour 19.15). */
export interface PublicationNotice {
  readonly publication: PublicationKind;
  /** With the owner at the time of the notice. */
  readonly zone: ChangeEntry['zone'];
  /** Journal number of the last published change, or of the first lagging one. */
  readonly number: number;
  readonly serial: number;
  readonly changedAt: Instant;
  readonly at: Instant;
  /** Name servers that lack the change; empty if published. */
  readonly servers: readonly string[];
}

export interface PublicationReceiver {
  /** Ignores notices that it has received before. */
  tell(news: readonly PublicationNotice[]): Promise<void>;
}

/** Below all journal numbers, to tell notices and entries apart. */
const LOWEST = -(2 ** 48);

/** The number of a notice is constant for a serial and grows with the serial. */
export function publicationNumber({ publication, serial }: PublicationNotice): number {
  return LOWEST + 2 * serial + (publication === 'published' ? 1 : 0);
}
