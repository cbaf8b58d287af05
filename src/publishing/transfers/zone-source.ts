import type { DomainName } from '../../dns/name.js';
import type { Question } from '../../dns/message/question.js';
import type { ResourceRecord } from '../../dns/message/resource-record.js';
import type { AnswerSection } from '../../dns/message/transfer-writer.js';

export type { AnswerSection };

/** A zone as the name server finds it. */
export interface PublishedZone {
  readonly id: string;
  readonly name: DomainName;
  /** Of the SOA record, unsigned 32 bits. */
  readonly serial: number;
  /** RDATA of the SOA record. */
  readonly soa: Uint8Array;
  /** Of the SOA record, in seconds. */
  readonly ttl: number;
  /** Whether there are contents that have not been signed yet. */
  readonly awaitsSigning?: boolean;
  /** Whose it is; that of the service itself is nobody's. */
  readonly tenantId?: string;
}

/** What a zone says to a question (RFC 1034 §4.3.2), from that zone alone. */
export interface ZoneAnswer {
  readonly rcode: number;
  readonly isAuthoritative: boolean;
  readonly answers: readonly ResourceRecord[];
  readonly authorities: readonly ResourceRecord[];
}

/**
 * A zone, or what differs between two of its serials, as the answer sections of messages, written once and sent many
 * times (RFC 5936 §2.2, RFC 1995 §4).
 */
export interface Copy {
  /** The zone's serial that it leads to. */
  readonly serial: number;
  /** Of all messages together. */
  readonly octets: number;
  /** In their order. Nothing of the database is held while the consumer waits. */
  sections(): AsyncIterable<AnswerSection>;
  /** Says that this user has read it. What no user holds may be forgotten. */
  release(): void;
}

/** Where the name server has its zones from. */
export abstract class ZoneSource {
  /**
   * The zone of each of these names, or the closest one above it; `null` where there is none. What is asked for in one turn of
   * the event loop may be read together.
   * @throws ServiceError `unavailable`
   */
  abstract find(name: DomainName): Promise<PublishedZone | null>;

  /**
   * All of the zone as it is now.
   * @param gone ends the work where nobody waits for it any more
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  abstract axfr(zone: PublishedZone, gone: AbortSignal): Promise<Copy>;

  /**
   * What differs between the zone under that serial and now, in one step (RFC 1995 §4).
   * @returns `null` where nothing less than the whole zone says it
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  abstract ixfr(zone: PublishedZone, serial: number, gone: AbortSignal): Promise<Copy | null>;

  /**
   * What the zone has at a name in it.
   * @returns `null` where it is transferred and nothing else
   * @throws ServiceError `zone_not_found`, `unavailable`
   */
  abstract query(zone: PublishedZone, question: Question): Promise<ZoneAnswer | null>;
}
