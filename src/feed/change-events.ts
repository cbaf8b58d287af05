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
  noticeAction(notice: ZoneNotice): string;
  noticeEventOf(notice: ZoneNotice): ChangeEvent;
}

/** A fact about a zone that its journal does not have. */
export type ZoneNotice = PublicationNotice;

export type PublicationKind = 'published' | 'lagging';

/** A change has reached every name server, or lags (behaviour 19.15). */
export interface PublicationNotice {
  /** Absent, as in the stored notices of release 1.0.0; all other notices have it. */
  readonly kind?: undefined;
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

export interface NoticeReceiver {
  /** Ignores notices that it has received before. */
  tell(notices: readonly ZoneNotice[]): Promise<void>;
}

/** The enabled receivers: the event log, the webhooks, both or none. */
export class NoticeReceivers implements NoticeReceiver {
  constructor(private readonly receivers: readonly NoticeReceiver[]) {}

  async tell(notices: readonly ZoneNotice[]): Promise<void> {
    if (notices.length > 0) for (const receiver of this.receivers) await receiver.tell(notices);
  }
}

/** Each kind of notices has a range of its own below all journal numbers. */
const LOWEST_PUBLICATION = -(2 ** 48);

/** Constant for one fact about a zone, and grows with its later facts of that kind. */
export function noticeNumber({ publication, serial }: ZoneNotice): number {
  return LOWEST_PUBLICATION + 2 * serial + (publication === 'published' ? 1 : 0);
}

/** A webhook gets notices of facts since its creation. */
export function noticeTime({ changedAt }: ZoneNotice): Instant {
  return changedAt;
}
