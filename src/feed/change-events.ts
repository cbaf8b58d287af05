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
export type ZoneNotice = PublicationNotice | AliasNotice | LiveCheckNotice;

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

export type AliasNoticeKind = 'alias_failing' | 'alias_recovered';

/** The target of ALIAS records has no usable addresses, or has them again (behaviour 24.12). */
export interface AliasNotice {
  readonly kind: 'alias';
  /** Release 1.0.0 reads this, `serial`, `changedAt` and `servers`, and shows the event without the other fields. */
  readonly publication: AliasNoticeKind;
  readonly zone: ChangeEntry['zone'];
  /** When the state of the target was found: identifies the fact. */
  readonly serial: Instant;
  /** Equal to `at`. */
  readonly changedAt: Instant;
  readonly at: Instant;
  readonly servers: readonly [];
  readonly target: string;
  readonly state: string;
  readonly problem: string | null;
  /** Since when the target has no usable addresses, or has them again. */
  readonly since: Instant;
  /** Some of the names in the zone that follow the target. */
  readonly owners: readonly string[];
  readonly ownerCount: number;
}

export type LiveCheckNoticeKind = 'live_check_failing' | 'live_check_recovered';

/** A live check finds errors, or none any more (behaviour 27.14). */
export interface LiveCheckNotice {
  readonly kind: 'live_check';
  /** Release 1.0.0 reads this, `serial`, `changedAt` and `servers`, and shows the event without the other fields. */
  readonly publication: LiveCheckNoticeKind;
  readonly zone: ChangeEntry['zone'];
  /** The time of the check: identifies the fact. */
  readonly serial: Instant;
  /** Equals `at`. */
  readonly changedAt: Instant;
  readonly at: Instant;
  readonly servers: readonly [];
  readonly counts: { readonly errors: number; readonly warnings: number; readonly notices: number };
  /** The first errors. */
  readonly findings: readonly object[];
}

export interface NoticeReceiver {
  /** Ignores notices that it has received before. */
  tell(notices: readonly ZoneNotice[]): Promise<void>;
}

/** The enabled receivers: the event log, the webhooks, both or none. */
export class NoticeReceivers implements NoticeReceiver {
  constructor(private readonly receivers: readonly NoticeReceiver[]) {}

  get isEmpty(): boolean {
    return this.receivers.length === 0;
  }

  async tell(notices: readonly ZoneNotice[]): Promise<void> {
    if (notices.length > 0) for (const receiver of this.receivers) await receiver.tell(notices);
  }
}

/** Each kind of notices has a range of its own below all journal numbers. */
const LOWEST_PUBLICATION = -(2 ** 48);
const LOWEST_ALIAS = -(2 ** 52);
const LOWEST_LIVE_CHECK = -(2 ** 53);

/** Constant for one fact about a zone, and grows with its later facts of that kind. */
export function noticeNumber({ kind, publication, serial }: ZoneNotice): number {
  if (kind === 'alias') return LOWEST_ALIAS + serial;
  if (kind === 'live_check') return LOWEST_LIVE_CHECK + serial;
  return LOWEST_PUBLICATION + 2 * serial + (publication === 'published' ? 1 : 0);
}
