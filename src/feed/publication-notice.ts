import type { Instant } from '../common/clock.js';

/** What has become of a change on its way to the name servers. */
export type PublicationKind = 'published' | 'lagging';

/** A zone's change has reached every name server, or has failed to for long (behaviour 19.15). */
export interface PublicationNotice {
  readonly publication: PublicationKind;
  /** Its owner is whoever has it when this is found. */
  readonly zone: { readonly id: string; readonly name: string; readonly tenantId: string };
  /** The entry of the journal up to which it has arrived, or from which on it lags. */
  readonly number: number;
  /** Of the zone after that change. */
  readonly serial: number;
  /** When that change was made; of one that lags, when the first was that has not arrived. */
  readonly changedAt: Instant;
  /** When it was found. */
  readonly at: Instant;
  /** The name servers that lack it: none where it is published. */
  readonly servers: readonly string[];
}

/** Hands news of publication on to those who are to know. */
export interface PublicationReceiver {
  /** What it was told before it tells nobody again. @throws ServiceError `unavailable` */
  tell(news: readonly PublicationNotice[]): Promise<void>;
}

/** Below all numbers of a journal, so that what tells of a serial is told apart from its entries. */
const LOWEST = -(2 ** 48);

/** The number that the news has among the events of its zone: the same for the same serial, and growing with it. */
export function publicationNumber({ publication, serial }: PublicationNotice): number {
  return LOWEST + 2 * serial + (publication === 'published' ? 1 : 0);
}
